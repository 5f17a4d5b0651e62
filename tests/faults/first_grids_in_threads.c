/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads make the first grids of a process at the same time, each on a communicator of its
 * own: one of them has no topology afterwards.
 *
 * run: ranks=1 mpi=mpich,openmpi,intel
 * sometimes: MPICH 5.0.2 */
#include "fault.h"

#include <pthread.h>

enum { THREADS = 4 };

static MPI_Comm parent[THREADS], grid[THREADS];
static pthread_barrier_t together;

static void *make(void *argument) {
    int dims[] = {1}, periods[] = {1}, number = *(int *)argument;
    pthread_barrier_wait(&together);
    MPI_Cart_create(parent[number], 1, dims, periods, 0, &grid[number]);
    return NULL;
}

int main(int argc, char **argv) {
    int provided, number[THREADS];
    bool shown = false;
    pthread_t thread[THREADS];
    begin(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_SELF, &parent[t]);
    pthread_barrier_init(&together, NULL, THREADS);
    tries();
    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        pthread_create(&thread[t], NULL, make, &number[t]);
    }
    for (int t = 0; t < THREADS; t++) {
        int kind = MPI_UNDEFINED;
        pthread_join(thread[t], NULL);
        MPI_Topo_test(grid[t], &kind);
        shown = shown || kind != MPI_CART;
    }
    return verdict(shown);
}
