/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/graph/calls.h"
#include "api/graph/placement.h"
#include "base/status.h"
#include "run/engine/build.h"
#include "run/graph/build.h"
#include "run/peers/agree.h"
#include "run/support/first_topology.h"

#include <caucus/graph.h>

#include <stdio.h>

static _Thread_local struct caucus_grid_outcome last;

const struct caucus_grid_outcome *caucus_graph_last(void) {
    return &last;
}

static void tell(const struct caucus_graph_request *request,
                 const struct caucus_attachment *attachment,
                 const struct caucus_grid_outcome *outcome) {
    const caucus_cart_report_data *report = &outcome->report;
    fprintf(stderr,
            "caucus: %s: graph of %d ranks on %d nodes: %s, traffic between nodes %g -> %g, of the "
            "worst node %g -> %g, planned in %.*f ms\n",
            request->function, attachment->size, report->nodes, report->mapper,
            report->given.off_node, report->placed.off_node, report->given.off_node_worst,
            report->placed.off_node_worst, outcome->seconds < 0.01 ? 2 : 0, 1e3 * outcome->seconds);
}

static int build(struct caucus_graph_request *request, const struct caucus_attachment *attachment,
                 const struct caucus_graph_placement_of_rank *placement, MPI_Comm *made) {
    const struct caucus_new_ranks ranks = {placement->outcome.moved, placement->role,
                                           placement->giver};
    if (request->form == CAUCUS_GRAPH_WHOLE)
        return caucus_build_whole_graph(attachment, &ranks, request->count, request->index,
                                        request->edges, made);
    return caucus_build_graph(attachment, &ranks, &request->neighbors, request->info, made);
}

static int make(MPI_Comm comm_old, struct caucus_graph_request *request,
                const struct caucus_attachment *attachment,
                const struct caucus_graph_placement_of_rank *placement, MPI_Comm *comm_graph) {
    const struct caucus_stencil none = {0};
    struct caucus_grid_kept *kept = caucus_grid_kept_new(attachment, &placement->outcome, &none);
    MPI_Comm made = MPI_COMM_NULL;
    int status = caucus_agree(&attachment->peers, kept ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = build(request, attachment, placement, &made);
    return caucus_grid_hand_out(comm_old, kept, status, made, comm_graph);
}

/* What all constructors share: check, agree, place, and make the communicator. Returns an error
 * code of MPI, after calling the error handler. */
static int create(MPI_Comm comm_old, struct caucus_graph_request *request, MPI_Comm *comm_graph) {
    struct caucus_graph_placement_of_rank placement;
    struct caucus_attachment *attachment;
    int code = caucus_prepare(comm_old, request->function, &attachment);
    if (code)
        return code;
    caucus_first_topology();
    request->result = comm_graph;
    int status = caucus_graph_request_agree(request, attachment, CAUCUS_OK);
    if (!status)
        status = caucus_graph_place_ranks(request, attachment, &placement);
    if (!status && request->settings.verbose && request->reorder && attachment->rank == 0)
        tell(request, attachment, &placement.outcome);
    if (!status)
        status = make(comm_old, request, attachment, &placement, comm_graph);
    caucus_graph_request_free(request);
    if (status)
        return caucus_raise(comm_old, attachment, request->function, status);
    last = placement.outcome;
    caucus_succeed();
    return MPI_SUCCESS;
}

int caucus_dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                      const int *sourceweights, int outdegree,
                                      const int destinations[], const int *destweights,
                                      MPI_Info info, int reorder, MPI_Comm *comm_dist_graph) {
    struct caucus_graph_request request = {.function = __func__,
                                           .form = CAUCUS_GRAPH_ADJACENT,
                                           .indegree = indegree,
                                           .sources = sources,
                                           .source_weights = sourceweights,
                                           .outdegree = outdegree,
                                           .destinations = destinations,
                                           .destination_weights = destweights,
                                           .info = info,
                                           .reorder = reorder != 0};
    return create(comm_old, &request, comm_dist_graph);
}

int caucus_dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                             const int destinations[], const int *weights, MPI_Info info,
                             int reorder, MPI_Comm *comm_dist_graph) {
    struct caucus_graph_request request = {.function = __func__,
                                           .form = CAUCUS_GRAPH_EDGES,
                                           .count = n,
                                           .sources = sources,
                                           .degrees = degrees,
                                           .destinations = destinations,
                                           .weights = weights,
                                           .info = info,
                                           .reorder = reorder != 0};
    return create(comm_old, &request, comm_dist_graph);
}

int caucus_graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                        int reorder, MPI_Comm *comm_graph) {
    struct caucus_graph_request request = {.function = __func__,
                                           .form = CAUCUS_GRAPH_WHOLE,
                                           .count = nnodes,
                                           .index = index,
                                           .edges = edges,
                                           .info = MPI_INFO_NULL,
                                           .reorder = reorder != 0};
    return create(comm_old, &request, comm_graph);
}
