/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Intercomm_merge in several threads of a process at a time, each with another process over an
 * intercommunicator of its own, hangs or fails with MPI_THREAD_MULTIPLE.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2, Intel MPI 2021.18 */
#include "fault.h"

#include <pthread.h>

enum { RANKS = 4, TIMES = 100 };

static MPI_Comm between[RANKS];

static void *merge_often(void *argument) {
    int other = *(int *)argument;
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm merged;
        MPI_Intercomm_merge(between[other], rank > other, &merged);
        MPI_Comm_free(&merged);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, number[RANKS];
    pthread_t thread[RANKS];
    begin(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int a = 0; a < RANKS; a++)
        for (int b = a + 1; b < RANKS; b++)
            if (rank == a || rank == b)
                MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, a + b - rank, RANKS * a + b,
                                     &between[a + b - rank]);
    tries();
    for (int other = 0; other < RANKS; other++) {
        number[other] = other;
        if (other != rank)
            pthread_create(&thread[other], NULL, merge_often, &number[other]);
    }
    for (int other = 0; other < RANKS; other++)
        if (other != rank)
            pthread_join(thread[other], NULL);
    return verdict(false);
}
