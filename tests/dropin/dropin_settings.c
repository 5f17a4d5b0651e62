/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Caucus and makes calls that every setting has a say in.
 * test_settings.py runs it with values that are wrong.
 * run: ranks=4 preload env=CAUCUS_ENABLE=blocking,nonblocking,dims */
#include "../mpi/check.h"

static void try_grid(int size) {
    int dims[] = {0}, periods[] = {1}, from, to, rank, heard = -1;
    MPI_Comm grid;
    MPI_Dims_create(size, 1, dims);
    CHECK(dims[0] == size, "%d", dims[0]);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Comm_rank(grid, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &heard, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
    CHECK(heard == (rank + size - 1) % size, "%d", heard);
    MPI_Comm_free(&grid);
}

static void try_graph(int size) {
    int rank = world_rank(), next = (rank + 1) % size, one = 1, weight = 1, heard = -1;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, &weight, MPI_INFO_NULL, 1, &graph);
    MPI_Comm_rank(graph, &rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &heard, 1, MPI_INT, graph);
    CHECK(heard == (rank + size - 1) % size, "%d", heard);
    MPI_Comm_free(&graph);
}

static void try_sums(MPI_Comm comm) {
    int size, rank, sum = 0, later = 0;
    MPI_Request request;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Iallreduce(&rank, &later, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == size * (size - 1) / 2 && later == sum, "%d, %d", sum, later);
}

static void try_group(int size) {
    int range[1][3] = {{0, size - 1, 2}};
    MPI_Group all, even;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &even);
    if (world_rank() % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 0, &made);
        try_sums(made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&even);
    MPI_Group_free(&all);
}

/* Even and odd ranks, so that nodes have ranks of both groups. */
static void try_between(int size) {
    int rank = world_rank(), side = rank % 2, sum = 0, others = 0;
    MPI_Comm group, inter;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, !side, 5, &inter);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    for (int other = !side; other < size; other += 2)
        others += other;
    CHECK(sum == others, "%d", sum);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&group);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int size = world_size();
    try_sums(MPI_COMM_WORLD);
    try_grid(size);
    try_graph(size);
    try_group(size);
    try_between(size);
    if (world_rank() == 0)
        printf("all is right\n");
    MPI_Finalize();
    return 0;
}
