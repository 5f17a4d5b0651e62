/* SPDX-License-Identifier: BSD-3-Clause */
/* Where one rank gets no thread for CAUCUS_SIGNAL, what attaches is an error on all, and works when
 * it is called again.
 *
 * run: ranks=1,3 env=CAUCUS_SIGNAL=USR2 mpi=mpich,openmpi */
#define _GNU_SOURCE
#include "expect_error.h"
#include "said.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

static bool refuses;

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
enum { REPLACED = 1 };

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (refuses)
        return EAGAIN;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}
#else
enum { REPLACED = 0 };
#endif

int main(int argc, char **argv) {
    char named[40];
    MPI_Init(&argc, &argv);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("pthread_create is not this program's");
    }
    return_errors(MPI_COMM_WORLD);
    snprintf(named, sizeof named, "rank %d: no thread", world_size() - 1);
    refuses = world_rank() == world_size() - 1;
    expect(caucus_comm_attach(MPI_COMM_WORLD), MPI_ERR_NO_MEM, named);
    refuses = false;
    all_but(-1);
    int code = caucus_comm_attach(MPI_COMM_WORLD);
    all_came();
    CHECK_MPI(code);
    CHECK(*text == '\0', "'%s' was said", text);
    MPI_Finalize();
    return 0;
}
