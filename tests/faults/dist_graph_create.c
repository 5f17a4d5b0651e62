/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dist_graph_create does not return on several nodes, where ranks name edges of others.
 *
 * run: ranks=4 env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich
 * run: ranks=4 mpi=openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    /* Every rank names one edge, between its two successors. */
    int source = (rank + 1) % size, degree = 1, destination = (rank + 2) % size, weight = 1;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &destination, &weight, MPI_INFO_NULL,
                          0, &graph);
    MPI_Comm_free(&graph);
    return verdict(false);
}
