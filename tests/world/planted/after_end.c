/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: a call after the end of MPI. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return 0;
}
