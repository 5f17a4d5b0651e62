/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent collective whose communicator has been freed cannot be started any more. MPI says
 * that a communicator is deallocated only when nothing refers to it, and a request does.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, mine, sum = 0;
    MPI_Comm copy;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    mine = rank + 1;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &request);
    MPI_Comm_free(&copy);
    tries();
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return verdict(sum != size * (size + 1) / 2);
}
