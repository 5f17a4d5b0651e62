/* SPDX-License-Identifier: BSD-3-Clause */
/* What caucus check starts under the drop-in: a grid, which that takes over, and a sum of the
 * library's on it. The first line of rank 0 says what it saw: ranks, the sum, what it should be.
 *
 *   mpiexec -n 2 build/mpich/bin/installation_check */
#include <caucus/caucus.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, periodic = 1;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &grid);
    long mine = rank + 1L, sum = 0, wanted = size * (size + 1L) / 2;
    int error = caucus_allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, grid);
    int good = error == MPI_SUCCESS && sum == wanted, all = 0;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, sum %ld of %ld, %s\n", size, sum, wanted, all ? "right" : "wrong");
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
