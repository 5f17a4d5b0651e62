/* SPDX-License-Identifier: BSD-3-Clause */
/* A calloc of the program's, which the library finds before the C library's: what refuses() says no
 * to is not had. Sanitizers bring their own, and programs skip then. */
#ifndef TESTS_MPI_OWN_CALLOC_H
#define TESTS_MPI_OWN_CALLOC_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Of the call that refuses() is asked about. */
__attribute__((unused)) static _Thread_local void *calloc_caller;

__attribute__((unused)) static bool refuses(size_t count, size_t size);

static _Thread_local void *calloc_caller; /* where it was called last */

/* Whether that was in MPI, or in what MPI uses, which may not bear to be refused. */
__attribute__((unused)) static bool calloc_is_mpis(void) {
    static const char *const names[] = {"libmpi", "libopen", "libucp",    "libuct",   "libucs",
                                        "libpmi", "libc.so", "libfabric", "libhwloc", "libevent"};
    Dl_info info;
    if (dladdr(calloc_caller, &info) == 0)
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash : info.dli_fname;
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is = is || strstr(name, names[i]);
    return is;
}

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
enum { REPLACED = 1 };

void *calloc(size_t count, size_t size) {
    static void *(*real)(size_t, size_t);
    calloc_caller = __builtin_return_address(0);
    if (refuses(count, size))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "calloc");
    return real(count, size);
}
#else
enum { REPLACED = 0 };
#endif

#endif
