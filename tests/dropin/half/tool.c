/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the profiling interface: counts calls, each function by itself, and hands them on.
 * WRAPS names what it wraps: ALL, INIT, WAIT or START; OWN is a library that wraps nothing but
 * calls PMPI_Wait. It calls PMPI_X; or, with NEXT=1, the MPI_X that is found next, which it asks
 * for when it is loaded, and with HIDDEN=1, the PMPI_X that it asks for at the first call.
 * Arguments pass as whole registers, so that it serves every MPI. */
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <string.h>

#define ALL 15
#define INIT 1
#define WAIT 2
#define START 4
#define OWN 16

#if NEXT
#define HAND_ON(name, parameters)                                                                  \
    static int(*next_##name) parameters;                                                           \
    __attribute__((constructor)) static void find_##name(void) {                                   \
        *(void **)&next_##name = dlsym(RTLD_NEXT, "MPI_" #name);                                   \
    }
#elif HIDDEN
#define HAND_ON(name, parameters)                                                                  \
    static int(*next_##name) parameters;                                                           \
    static void find_##name(void) {                                                                \
        *(void **)&next_##name = dlsym(RTLD_NEXT, "PMPI_" #name);                                  \
    }
#else
#define HAND_ON(name, parameters)                                                                  \
    int PMPI_##name parameters;                                                                    \
    static int(*next_##name) parameters;                                                           \
    static void find_##name(void) {                                                                \
        next_##name = PMPI_##name;                                                                 \
    }
#endif

#define WRAP(name, parameters, ...)                                                                \
    HAND_ON(name, parameters)                                                                      \
    static int count_##name;                                                                       \
    int MPI_##name parameters {                                                                    \
        if (!next_##name)                                                                          \
            find_##name();                                                                         \
        count_##name++;                                                                            \
        return next_##name(__VA_ARGS__);                                                           \
    }
#define COUNTED(name, ...)                                                                         \
    if (strcmp(function, #name) == 0)                                                              \
        return count_##name;

#if WRAPS == ALL
ALL_CALLS(WRAP)
#define WRAPPED ALL_CALLS(COUNTED)
#elif WRAPS == INIT
WRAP(Init, (R2), a, b)
#define WRAPPED COUNTED(Init)
#elif WRAPS == WAIT
WRAP(Wait, (R2), a, b)
#define WRAPPED COUNTED(Wait)
#elif WRAPS == START
WRAP(Start, (R1), a)
#define WRAPPED COUNTED(Start)
#else
#define WRAPPED
int PMPI_Wait(R2);
int half_wait(R2) {
    return PMPI_Wait(a, b);
}
#endif

int half_tool_counts(const char *function) { /* how often it saw it; -1 if it does not look */
    WRAPPED(void) function;
    return -1;
}
