/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the address of a PMPI function, which in a program that is linked for one place is that of
 * its own code, for all that is loaded. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int (*volatile dup)(MPI_Comm, MPI_Comm *) = PMPI_Comm_dup;
    MPI_Comm made[3];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &made[0]);
    dup(MPI_COMM_WORLD, &made[1]);
    PMPI_Comm_dup(MPI_COMM_WORLD, &made[2]);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&made[i]);
    MPI_Finalize();
    if (rank == 0)
        puts("right");
    return 0;
}
