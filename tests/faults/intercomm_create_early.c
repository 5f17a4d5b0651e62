/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of Dinan et al. (EuroMPI 2011) for three processes: 0 and 1 make an intercommunicator
 * and merge, then with 2, by the same tag of the same peer communicator. What 2 sends for the
 * second MPI_Intercomm_create is taken by the first one, which waits for 1.
 *
 * run: ranks=3 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, one = 1, sum = 0;
    MPI_Comm between, pair, all, self;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    tries();
    if (rank == 1) /* 2 is first */
        usleep(300000);
    pair = self;
    if (rank < 2) {
        MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, 1 - rank, 4, &between);
        MPI_Intercomm_merge(between, rank == 1, &pair);
        MPI_Comm_free(&between);
    }
    MPI_Intercomm_create(pair, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 4, &between);
    MPI_Intercomm_merge(between, rank == 2, &all);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    return verdict(sum != 3);
}
