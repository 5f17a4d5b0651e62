/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from MPI_ANY_SOURCE never completes if its message has come before it, from another
 * node, though its buffer is filled.
 *
 * run: ranks=2 env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich
 * run: ranks=2 mpi=openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, sent = 42, received = 0;
    bool shown = false;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    if (rank == 1)
        MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Request request;
        for (int there = 0; !there;)
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        shown = !completes(&request);
        if (shown)
            printf("the buffer has %d, the request is pending\n", received);
        fflush(stdout);
        if (shown)
            verdict_alone(shown);
    }
    return verdict(shown);
}
