/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the profiling interface: counts calls and hands them to PMPI. WRAPS names what it
 * wraps: ALL, INIT, WAIT or START; OWN is a library that wraps nothing but calls PMPI_Wait.
 * Arguments pass as whole registers, so that it serves every MPI. */
#include "calls.h"

#define ALL 15
#define INIT 1
#define WAIT 2
#define START 4
#define OWN 16

int half_tool_calls;

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
OTHER_CALLS(WRAP)
#endif
