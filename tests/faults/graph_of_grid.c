/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed graph that is made of a grid calls itself a grid; MPI_Cartdim_get crashes then.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, kind = MPI_UNDEFINED, zero = 0, weight = 1;
    MPI_Comm grid, graph;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    int other = 1 - rank;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &zero, 0, &grid);
    tries();
    MPI_Dist_graph_create_adjacent(grid, 1, &other, &weight, 1, &other, &weight, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Topo_test(graph, &kind);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    return verdict(kind != MPI_DIST_GRAPH);
}
