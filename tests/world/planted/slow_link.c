/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: rank 2 counts on rank 0's message to come before one that rank 1 sends it after
 * having had thirty from rank 0 and answered them. */
#include <mpi.h>

enum { TIMES = 30, FIRST, LAST };

int main(int argc, char **argv) {
    int rank, number = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    } else {
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank == 0)
            MPI_Isend(&number, 1, MPI_INT, 2, FIRST, MPI_COMM_WORLD, &request);
        for (int i = 0; i < TIMES; i++) {
            int turn = i % 2;
            if (rank == turn)
                MPI_Send(&turn, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
            else
                MPI_Recv(&turn, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank == 1)
            MPI_Send(&number, 1, MPI_INT, 2, LAST, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return rank == 2 && status.MPI_TAG != FIRST;
}
