/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the profiling interface: counts calls and hands them to PMPI. WRAPS names what it
 * wraps: ALL, INIT, WAIT or START; OWN is a library that wraps nothing but calls PMPI_Wait.
 * Arguments pass as whole registers, so that it serves every MPI. */
#include <stdint.h>

#define ALL 15
#define INIT 1
#define WAIT 2
#define START 4
#define OWN 16

int half_tool_calls;

#define R1 intptr_t a
#define R2 R1, intptr_t b
#define R3 R2, intptr_t c
#define R4 R3, intptr_t d
#define R5 R4, intptr_t e
#define R6 R5, intptr_t f
#define R7 R6, intptr_t g
#define R8 R7, intptr_t h

#define WRAP(name, parameters, ...)                                                                \
    int PMPI_##name parameters;                                                                    \
    int MPI_##name parameters {                                                                    \
        half_tool_calls++;                                                                         \
        return PMPI_##name(__VA_ARGS__);                                                           \
    }

#if WRAPS & INIT
WRAP(Init, (R2), a, b)
#endif
#if WRAPS & WAIT
WRAP(Wait, (R2), a, b)
#endif
#if WRAPS & START
WRAP(Start, (R1), a)
#endif
#if WRAPS & OWN
int PMPI_Wait(R2);
int half_wait(R2) {
    return PMPI_Wait(a, b);
}
#endif
#if WRAPS == ALL
WRAP(Startall, (R2), a, b)
WRAP(Waitall, (R3), a, b, c)
WRAP(Waitany, (R4), a, b, c, d)
WRAP(Waitsome, (R5), a, b, c, d, e)
WRAP(Test, (R3), a, b, c)
WRAP(Testall, (R4), a, b, c, d)
WRAP(Testany, (R5), a, b, c, d, e)
WRAP(Testsome, (R5), a, b, c, d, e)
WRAP(Request_get_status, (R3), a, b, c)
WRAP(Request_free, (R1), a)
WRAP(Allreduce, (R6), a, b, c, d, e, f)
WRAP(Iallreduce, (R7), a, b, c, d, e, f, g)
WRAP(Iallgather, (R8), a, b, c, d, e, f, g, h)
WRAP(Comm_split, (R4), a, b, c, d)
WRAP(Intercomm_create, (R6), a, b, c, d, e, f)
WRAP(Cart_create, (R6), a, b, c, d, e, f)
WRAP(Finalize, (void))
#endif
