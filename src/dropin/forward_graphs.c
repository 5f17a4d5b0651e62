/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/reasons.h"
#include "api/graph/calls.h"
#include "api/interposition/served.h"
#include "dropin/forward.h"
#include "dropin/guard.h"

#include <caucus/graph.h>

/* Whether a graph is to be taken over; counts it if not. */
static bool takes(enum caucus_call call, MPI_Comm comm, int reorder) {
    if (caucus_guard_leaves())
        return false;
    bool ours = caucus_call_is_ours(call);
    if (ours && reorder && caucus_within_serves(comm))
        return true;
    caucus_call_pass(call, !ours      ? caucus_reason_of(call, false)
                           : !reorder ? CAUCUS_REASON_REORDER
                                      : CAUCUS_REASON_WORLDS);
    return false;
}

static bool taken(enum caucus_call call, MPI_Comm comm, int code) {
    if (code == MPI_SUCCESS)
        caucus_call_count_graph(call, comm);
    return true;
}

bool caucus_forward_graph_create(intptr_t comm_old, int nodes, const int *index, const int *edges,
                                 int reorder, void *comm_graph, int *code) {
    MPI_Comm comm = (MPI_Comm)comm_old;
    if (!takes(CAUCUS_CALL_GRAPH_CREATE, comm, reorder))
        return false;
    *code = caucus_graph_create(comm, nodes, index, edges, 1, comm_graph);
    return taken(CAUCUS_CALL_GRAPH_CREATE, comm, *code);
}

bool caucus_forward_dist_graph_create(intptr_t comm_old, int count, const int *sources,
                                      const int *degrees, const int *destinations,
                                      const int *weights, intptr_t info, int reorder,
                                      void *comm_graph, int *code) {
    MPI_Comm comm = (MPI_Comm)comm_old;
    if (!takes(CAUCUS_CALL_DIST_GRAPH_CREATE, comm, reorder))
        return false;
    *code = caucus_dist_graph_create(comm, count, sources, degrees, destinations, weights,
                                     (MPI_Info)info, 1, comm_graph);
    return taken(CAUCUS_CALL_DIST_GRAPH_CREATE, comm, *code);
}

bool caucus_forward_dist_graph_create_adjacent(intptr_t comm_old, int indegree, const int *sources,
                                               const int *source_weights, int outdegree,
                                               const int *destinations,
                                               const int *destination_weights, intptr_t info,
                                               int reorder, void *comm_graph, int *code) {
    MPI_Comm comm = (MPI_Comm)comm_old;
    if (!takes(CAUCUS_CALL_DIST_GRAPH_CREATE_ADJACENT, comm, reorder))
        return false;
    *code = caucus_dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                              destinations, destination_weights, (MPI_Info)info, 1,
                                              comm_graph);
    return taken(CAUCUS_CALL_DIST_GRAPH_CREATE_ADJACENT, comm, *code);
}
