/* SPDX-License-Identifier: BSD-3-Clause */
/* An intercommunicator that is freed while MPI_Comm_idup on it is pending: MPI says that pending
 * operations complete normally.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, mine, sum = 0;
    MPI_Comm half, between, copy;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 1, &between);
    tries();
    MPI_Comm_idup(between, &copy, &request);
    MPI_Comm_free(&between);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, copy); /* the other group's */
    return verdict(sum != 2 - rank);
}
