/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: nobody receives a message. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, number = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
