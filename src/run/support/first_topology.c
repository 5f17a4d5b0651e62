/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/first_topology.h"

#include "run/support/threads.h"

#include <mpi.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_one(void) {
    int dims[] = {1}, periods[] = {0};
    MPI_Comm cart;
    if (PMPI_Cart_create(MPI_COMM_SELF, 1, dims, periods, 0, &cart) == MPI_SUCCESS)
        PMPI_Comm_free(&cart);
}

/* A program of sessions has no MPI_COMM_SELF. */
void caucus_first_topology(void) {
    int initialized;
    PMPI_Initialized(&initialized);
    if (initialized && caucus_threads_may())
        pthread_once(&once, make_one);
}
