/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of MPI's that program.c calls, with arguments as whole registers, which serve every
 * MPI: X(name, parameters, these without types). MPI_Init, MPI_Wait and MPI_Start stand apart, and
 * what the drop-in does not define. */
#include <stdint.h>

#define R1 intptr_t a
#define R2 R1, intptr_t b
#define R3 R2, intptr_t c
#define R4 R3, intptr_t d
#define R5 R4, intptr_t e
#define R6 R5, intptr_t f
#define R7 R6, intptr_t g
#define R8 R7, intptr_t h
#define R9 R8, intptr_t i
#define R10 R9, intptr_t j

#define OTHER_CALLS(X)                                                                             \
    X(Startall, (R2), a, b)                                                                        \
    X(Waitall, (R3), a, b, c)                                                                      \
    X(Waitany, (R4), a, b, c, d)                                                                   \
    X(Waitsome, (R5), a, b, c, d, e)                                                               \
    X(Test, (R3), a, b, c)                                                                         \
    X(Testall, (R4), a, b, c, d)                                                                   \
    X(Testany, (R5), a, b, c, d, e)                                                                \
    X(Testsome, (R5), a, b, c, d, e)                                                               \
    X(Request_get_status, (R3), a, b, c)                                                           \
    X(Request_free, (R1), a)                                                                       \
    X(Allreduce, (R6), a, b, c, d, e, f)                                                           \
    X(Iallreduce, (R7), a, b, c, d, e, f, g)                                                       \
    X(Allreduce_init, (R8), a, b, c, d, e, f, g, h)                                                \
    X(Iallgather, (R8), a, b, c, d, e, f, g, h)                                                    \
    X(Comm_split, (R4), a, b, c, d)                                                                \
    X(Intercomm_create, (R6), a, b, c, d, e, f)                                                    \
    X(Cart_create, (R6), a, b, c, d, e, f)                                                         \
    X(Dist_graph_create_adjacent, (R10), a, b, c, d, e, f, g, h, i, j)                             \
    X(Finalize, (void))
#define LEFT_CALLS(X)                                                                              \
    X(Comm_rank, (R2), a, b)                                                                       \
    X(Comm_size, (R2), a, b)                                                                       \
    X(Comm_free, (R1), a)
#define ALL_CALLS(X)                                                                               \
    X(Init, (R2), a, b)                                                                            \
    X(Wait, (R2), a, b)                                                                            \
    X(Start, (R1), a)                                                                              \
    OTHER_CALLS(X)                                                                                 \
    LEFT_CALLS(X)
