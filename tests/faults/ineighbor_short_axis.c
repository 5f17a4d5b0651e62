/* SPDX-License-Identifier: BSD-3-Clause */
/* On a periodic axis of two processes, where both neighbours are the same process,
 * MPI_Ineighbor_alltoall exchanges the blocks of the two directions, which MPI_Neighbor_alltoall
 * does not.
 *
 * run: ranks=2 mpi=mpich,openmpi
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, one = 1, found[2] = {-1, -1};
    MPI_Comm grid;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &one, 0, &grid);
    int sent[2] = {10 * rank, 10 * rank + 1}, other = 10 * (1 - rank);
    tries();
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, found, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
    return verdict(found[0] != other + 1 || found[1] != other);
}
