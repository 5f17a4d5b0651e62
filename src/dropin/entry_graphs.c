/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: graphs. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"

int PMPI_Graph_create(intptr_t comm_old, int nodes, const int *index, const int *edges, int reorder,
                      void *comm_graph);
int PMPI_Dist_graph_create(intptr_t comm_old, int count, const int *sources, const int *degrees,
                           const int *destinations, const int *weights, intptr_t info, int reorder,
                           void *comm_graph);
int PMPI_Dist_graph_create_adjacent(intptr_t comm_old, int indegree, const int *sources,
                                    const int *source_weights, int outdegree,
                                    const int *destinations, const int *destination_weights,
                                    intptr_t info, int reorder, void *comm_graph);

static int end(intptr_t comm_old, const void *comm_graph, int code) {
    if (!code) {
        caucus_forward_derived(comm_old, comm_graph);
        caucus_forward_made(comm_graph, false);
    }
    caucus_forward_leave();
    return code;
}

int MPI_Graph_create(intptr_t comm_old, int nodes, const int *index, const int *edges, int reorder,
                     void *comm_graph) {
    int code;
    caucus_forward_enter_other(comm_old);
    if (!caucus_forward_graph_create(comm_old, nodes, index, edges, reorder, comm_graph, &code))
        code = PMPI_Graph_create(comm_old, nodes, index, edges, reorder, comm_graph);
    return end(comm_old, comm_graph, code);
}

int MPI_Dist_graph_create(intptr_t comm_old, int count, const int *sources, const int *degrees,
                          const int *destinations, const int *weights, intptr_t info, int reorder,
                          void *comm_graph) {
    int code;
    caucus_forward_enter_other(comm_old);
    if (!caucus_forward_dist_graph_create(comm_old, count, sources, degrees, destinations, weights,
                                          info, reorder, comm_graph, &code))
        code = PMPI_Dist_graph_create(comm_old, count, sources, degrees, destinations, weights,
                                      info, reorder, comm_graph);
    return end(comm_old, comm_graph, code);
}

int MPI_Dist_graph_create_adjacent(intptr_t comm_old, int indegree, const int *sources,
                                   const int *source_weights, int outdegree,
                                   const int *destinations, const int *destination_weights,
                                   intptr_t info, int reorder, void *comm_graph) {
    int code;
    caucus_forward_enter_other(comm_old);
    if (!caucus_forward_dist_graph_create_adjacent(comm_old, indegree, sources, source_weights,
                                                   outdegree, destinations, destination_weights,
                                                   info, reorder, comm_graph, &code))
        code = PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, source_weights,
                                               outdegree, destinations, destination_weights, info,
                                               reorder, comm_graph);
    return end(comm_old, comm_graph, code);
}
