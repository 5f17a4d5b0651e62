/* SPDX-License-Identifier: BSD-3-Clause */
/* Some ranks begin to duplicate MPI_COMM_WORLD and then make a communicator of members alone, the
 * others the other way round. MPI allows it, and Open MPI by itself passes it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Comm duplicate, made;
    MPI_Request request;
    MPI_Group all;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank % 2 == 0)
        MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 0, &made);
    if (rank % 2 != 0)
        MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_size(made, &size);
    MPI_Group_free(&all);
    MPI_Comm_free(&made);
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return size < 1;
}
