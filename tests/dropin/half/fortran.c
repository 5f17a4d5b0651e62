/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI's library for Fortran is to the drop-in: it defines mpi_wait_, and calls PMPI_X where a
 * program calls it. With TABLE the calls go through addresses in its data; with WHOLE it looks as
 * if it was MPI's library for C, too, so that nobody could tell whose calls these are; with ODD it
 * has a function's address in a way that the drop-in does not know. */
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>

void mpi_wait_(void) {}
void PMPI_Init_f(void) {} /* as Open MPI's */

#if WHOLE
int PMPI_Init(R2) {
    int (*next)(R2);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Init");
    return next(a, b);
}
#endif

#if TABLE
#define THROUGH(name, parameters) static int(*const volatile table_##name) parameters = PMPI_##name;
#define CALLED(name) table_##name
#else
#define THROUGH(name, parameters)
#define CALLED(name) PMPI_##name
#endif

#define WRAP(name, parameters, ...)                                                                \
    int PMPI_##name parameters;                                                                    \
    THROUGH(name, parameters)                                                                      \
    int fortran_##name parameters {                                                                \
        return CALLED(name)(__VA_ARGS__);                                                          \
    }

WRAP(Init, (R2), a, b)
WRAP(Wait, (R2), a, b)
WRAP(Start, (R1), a)
OTHER_CALLS(WRAP)

#if ODD
const char *const volatile odd = (const char *)PMPI_Wait + 1;
#endif

int half_wait(R2) { /* for late.c */
    return fortran_Wait(a, b);
}
