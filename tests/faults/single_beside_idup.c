/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator of a single rank is made while MPI_Comm_idup is pending and the other rank is busy
 * with something else. Of the first 64 communicators MPICH keeps numbers in hand; beyond them it
 * waits for the pending duplicate without moving its messages, so it never comes back.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2
 * sometimes: Intel MPI 2021.18 */
#include "fault.h"

enum { ALIVE = 80 };

static void test_for(MPI_Request *request, double seconds) {
    int done = 0;
    for (double start = MPI_Wtime(); !done && MPI_Wtime() - start < seconds;)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Comm alive, duplicate, single;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &alive);
    tries();
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    if (rank == 0) {
        test_for(&request, 0.2);
        MPI_Comm_dup(MPI_COMM_SELF, &single);
    } else {
        usleep(500000);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return verdict(false);
}
