/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: ranks take another count than the root gives. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, numbers[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(numbers, rank == 0 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
