/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 gathers the edges and where ranks lie, works the placement out, and tells each rank its
 * role. O(edges + ranks) memory on rank 0 alone. Above CAUCUS_GRAPH_CENTRAL edges the leaders of
 * the nodes do it (leaders.h). */
#include "api/graph/placement.h"

#include "api/graph/leaders.h"
#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/graph/partitioners.h"
#include "plan/graph/place.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CAUCUS_GRAPH_INNER_LEVELS == (int)CAUCUS_INNER_LEVELS, "the same levels");

/* What rank 0 works with. */
struct central {
    struct caucus_graph graph;
    int64_t *start; /* of a graph that was gathered */
    int32_t *to, *weight;
    int32_t *node, *part[CAUCUS_INNER_LEVELS]; /* one block */
    int *pairs;                                /* [2 * ranks] the roles of each and of its giver */
};

static void central_free(struct central *central) {
    free(central->start);
    free(central->to);
    free(central->node);
    free(central->pairs);
}

static int make_room(struct central *central, int64_t ranks) {
    central->node = caucus_array(3 * ranks, sizeof *central->node);
    central->pairs = caucus_array(2 * ranks, sizeof *central->pairs);
    if (!central->node || !central->pairs)
        return CAUCUS_NO_MEMORY;
    central->part[0] = central->node + ranks;
    central->part[1] = central->part[0] + ranks;
    return CAUCUS_OK;
}

/* Ranks at random, the same for the same seed. */
static int scramble(const struct central *central, const struct caucus_graph_settings *settings,
                    const struct caucus_places *places, struct caucus_graph_placement *placement) {
    const struct caucus_graph *graph = &central->graph;
    *placement = (struct caucus_graph_placement){.moved = true, .method = "chaos"};
    int32_t *rank_of = caucus_array(graph->vertices, sizeof *rank_of);
    int32_t *node = caucus_array(graph->vertices, sizeof *node);
    int status = rank_of && node ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int32_t rank = 0; rank < places->ranks && !status; rank++) {
        int64_t role = caucus_permute((uint64_t)settings->seed, places->ranks, rank);
        if (role < graph->vertices) {
            rank_of[role] = rank;
            node[role] = places->node[rank];
        }
    }
    if (!status)
        status = caucus_graph_evaluate(graph, places->node, places->nodes, &placement->given);
    if (!status)
        status = caucus_graph_evaluate(graph, node, places->nodes, &placement->placed);
    free(node);
    placement->rank_of_vertex = rank_of;
    return status;
}

static void fill_pairs(const struct caucus_graph_placement *placement, int vertices, int ranks,
                       int *pairs) {
    for (int rank = 0; rank < ranks; rank++)
        pairs[2 * (size_t)rank] = pairs[2 * (size_t)rank + 1] = -1;
    for (int role = 0; role < vertices; role++)
        pairs[2 * (size_t)placement->rank_of_vertex[role]] = role;
    for (int rank = 0; rank < ranks; rank++) {
        int role = pairs[2 * (size_t)rank];
        if (role >= 0)
            pairs[2 * (size_t)rank + 1] = pairs[2 * (size_t)role];
    }
}

/* On rank 0. */
static int plan(const struct caucus_graph_request *request,
                const struct caucus_attachment *attachment, struct central *central,
                struct caucus_grid_outcome *outcome) {
    struct caucus_graph_placement placement;
    const struct caucus_places places = {.ranks = attachment->size,
                                         .nodes = attachment->nodes.count,
                                         .node = central->node,
                                         .levels = CAUCUS_INNER_LEVELS,
                                         .part = {central->part[0], central->part[1]}};
    int status = request->settings.chaos
                     ? scramble(central, &request->settings, &places, &placement)
                     : caucus_graph_place(&central->graph, &places, caucus_partitioners,
                                          request->settings.threshold, &placement);
    if (!status) {
        fill_pairs(&placement, central->graph.vertices, attachment->size, central->pairs);
        outcome->moved = placement.moved;
        outcome->report.given = caucus_grid_traffic(&placement.given);
        outcome->report.placed = caucus_grid_traffic(&placement.placed);
        snprintf(outcome->report.mapper, sizeof outcome->report.mapper, "%s", placement.method);
    }
    caucus_graph_placement_free(&placement);
    return status;
}

static int place_centrally(const struct caucus_graph_request *request,
                           const struct caucus_attachment *attachment, struct central *central,
                           struct caucus_graph_placement_of_rank *placement) {
    bool whole = request->form == CAUCUS_GRAPH_WHOLE, root = attachment->rank == 0;
    struct caucus_grid_outcome *outcome = &placement->outcome;
    int pair[2];
    int status = root ? make_room(central, attachment->size) : CAUCUS_OK;
    status = caucus_agree_root(&attachment->peers, 0, status);
    central->graph = request->graph;
    if (!status && !whole) {
        status = caucus_role_edges_gather(&attachment->peers, &request->neighbors, &central->start,
                                          &central->to, &central->weight);
        central->graph =
            (struct caucus_graph){attachment->size, central->start, central->to, central->weight};
    }
    if (!status)
        status = caucus_gather_places(attachment, central->node, central->part);
    if (!status && root)
        status = plan(request, attachment, central, outcome);
    if (!status && root)
        outcome->report.rank0_kept = !outcome->moved || central->pairs[0] == 0;
    status = caucus_agree_root(&attachment->peers, 0, status);
    if (!status)
        status = caucus_bcast_all(attachment, outcome, sizeof *outcome);
    if (status || !outcome->moved)
        return status;
    status = caucus_scatter_pairs(attachment, central->pairs, pair);
    placement->role = pair[0];
    placement->giver = pair[1];
    return status;
}

caucus_cart_traffic caucus_graph_traffic(const struct caucus_node_traffic *traffic, int ranks) {
    return (caucus_cart_traffic){.off_node = traffic->leaving,
                                 .off_node_worst = traffic->worst,
                                 .all = traffic->all,
                                 .on_min = traffic->on_min,
                                 .on_max = traffic->on_max,
                                 .off_min = traffic->off_min,
                                 .off_max = traffic->off_max,
                                 .on_mean = traffic->on / ranks,
                                 .off_mean = traffic->off / ranks};
}

/* The edges that leave this rank, of a graph that it has whole: none where it has no role. */
static int take_own(const struct caucus_graph *graph, int rank, struct caucus_role_edges *own) {
    const int64_t first = rank < graph->vertices ? graph->start[rank] : 0,
                  end = rank < graph->vertices ? graph->start[rank + 1] : 0;
    int status = caucus_role_edges_init(own, 0, (int)(end - first), false);
    for (int64_t i = first; i < end && !status; i++) {
        own->destinations[i - first] = graph->to[i];
        own->destination_weights[i - first] = 1;
    }
    return status;
}

/* Of a graph that is left as it is. */
static int stay(const struct caucus_attachment *attachment, const struct caucus_role_edges *edges,
                struct caucus_grid_outcome *outcome) {
    struct caucus_node_traffic traffic;
    int status = caucus_role_edges_traffic(attachment, edges, &traffic);
    if (!status)
        outcome->report.given = outcome->report.placed =
            caucus_graph_traffic(&traffic, attachment->size);
    return status;
}

/* Of a graph that is too large for one rank; where ranks are to be placed at random it stays. */
static int place_apart(const struct caucus_graph_request *request,
                       const struct caucus_attachment *attachment, int vertices,
                       struct caucus_graph_placement_of_rank *placement) {
    struct caucus_role_edges own = {.weighted = false};
    const struct caucus_role_edges *edges = &request->neighbors;
    int status = CAUCUS_OK;
    if (request->form == CAUCUS_GRAPH_WHOLE) {
        status = take_own(&request->graph, attachment->rank, &own);
        status = caucus_agree(&attachment->peers, status, 0, NULL);
        edges = &own;
    }
    if (!status)
        status = request->settings.chaos
                     ? stay(attachment, edges, &placement->outcome)
                     : caucus_graph_place_by_leaders(attachment, edges, vertices,
                                                     request->settings.threshold, placement);
    caucus_role_edges_free(&own);
    return status;
}

int caucus_graph_place_ranks(const struct caucus_graph_request *request,
                             const struct caucus_attachment *attachment,
                             struct caucus_graph_placement_of_rank *placement) {
    bool whole = request->form == CAUCUS_GRAPH_WHOLE;
    int vertices = whole ? request->graph.vertices : attachment->size, status = CAUCUS_OK;
    int64_t edges = whole ? request->graph.start[vertices] : 0;
    memset(placement, 0, sizeof *placement);
    placement->role = placement->giver = attachment->rank < vertices ? attachment->rank : -1;
    placement->outcome.report.nodes = attachment->nodes.count;
    strcpy(placement->outcome.report.mapper, "given");
    placement->outcome.report.rank0_kept = 1;
    if (!request->reorder || vertices == 0)
        return CAUCUS_OK;
    double start = PMPI_Wtime();
    if (!whole)
        status = caucus_role_edges_count(attachment, &request->neighbors, &edges);
    if (!status && edges <= request->settings.central && edges <= INT_MAX) {
        struct central central = {.node = NULL};
        status = place_centrally(request, attachment, &central, placement);
        central_free(&central);
    } else if (!status) {
        status = place_apart(request, attachment, vertices, placement);
    }
    placement->outcome.seconds = PMPI_Wtime() - start;
    return status;
}
