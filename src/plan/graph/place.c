/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/place.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Ranks that could take the roles: so many of each node, its lowest ones. */
struct candidate {
    int32_t *number;  /* [nodes] among those that give any, -1 for others */
    int32_t *node_of; /* [nodes of the problem] the other way round */
    int32_t *rank;    /* [vertices] ascending */
    int32_t *given;   /* [vertices] the node of role i on rank[i], by number */
    struct caucus_graph_problem problem;
    struct caucus_graph_choice choice;
};

static void candidate_free(struct candidate *candidate) {
    caucus_graph_choice_free(&candidate->choice);
    caucus_nodes_free(&candidate->problem.nodes);
    free(candidate->number);
    memset(candidate, 0, sizeof *candidate);
}

/* taken: how many ranks of each node. */
static int candidate_init(struct candidate *candidate, const struct caucus_graph *graph,
                          const struct caucus_places *places, const int32_t *taken) {
    int32_t nodes = places->nodes, count = 0;
    int64_t vertices = graph->vertices, at = 0;
    memset(candidate, 0, sizeof *candidate);
    candidate->number = caucus_array(4 * (int64_t)nodes + 2 * vertices, sizeof(int32_t));
    if (!candidate->number)
        return CAUCUS_NO_MEMORY;
    candidate->node_of = candidate->number + nodes;
    candidate->rank = candidate->node_of + nodes;
    candidate->given = candidate->rank + vertices;
    int32_t *size = candidate->given + vertices, *left = size + nodes;
    for (int32_t node = 0; node < nodes; node++) {
        left[node] = taken[node];
        candidate->number[node] = taken[node] > 0 ? count : -1;
        if (taken[node] == 0)
            continue;
        candidate->node_of[count] = node;
        size[count++] = taken[node];
    }
    for (int32_t rank = 0; rank < places->ranks; rank++) {
        if (left[places->node[rank]]-- <= 0)
            continue;
        candidate->given[at] = candidate->number[places->node[rank]];
        candidate->rank[at++] = rank;
    }
    candidate->problem.graph = graph;
    return caucus_nodes_init(&candidate->problem.nodes, count, size);
}

/* The first ranks; and the largest nodes whole, where those are others. */
static int find_candidates(const struct caucus_graph *graph, const struct caucus_places *places,
                           struct candidate candidates[2], int *count) {
    struct caucus_nodes nodes = {0};
    int32_t *size = caucus_array(3 * (int64_t)places->nodes, sizeof *size);
    if (!size)
        return CAUCUS_NO_MEMORY;
    int32_t *first = size + places->nodes, *whole = first + places->nodes;
    for (int32_t rank = 0; rank < places->ranks; rank++) {
        size[places->node[rank]]++;
        first[places->node[rank]] += rank < graph->vertices;
    }
    int status = caucus_nodes_init(&nodes, places->nodes, size);
    if (!status)
        status = caucus_nodes_take(&nodes, graph->vertices, whole);
    *count = 0;
    if (!status) {
        *count = 1;
        status = candidate_init(&candidates[0], graph, places, first);
    }
    if (!status && memcmp(first, whole, (size_t)places->nodes * sizeof *first) != 0) {
        *count = 2;
        status = candidate_init(&candidates[1], graph, places, whole);
    }
    caucus_nodes_free(&nodes);
    free(size);
    return status;
}

/* Chooses nodes; returns the candidate that won. */
static int choose_nodes(struct candidate *candidates, int count,
                        const struct caucus_partitioner *partitioners, double threshold,
                        struct caucus_graph_placement *placement, struct candidate **chosen) {
    for (int i = 0; i < count; i++) {
        candidates[i].problem.partitioners = partitioners;
        int status =
            caucus_graph_choose(&candidates[i].problem, candidates[i].given, &candidates[i].choice);
        if (status)
            return status;
    }
    struct candidate *best = candidates;
    if (count > 1 && caucus_grid_better(&candidates[1].choice.score, &best->choice.score))
        best = &candidates[1];
    placement->given = placement->placed = candidates[0].choice.given;
    placement->moved = caucus_graph_pays(placement->given.jsum, best->choice.score.jsum, threshold);
    if (placement->moved) {
        placement->placed = best->choice.score;
        placement->method = best->choice.method;
        if (best != candidates && strcmp(placement->method, "given") == 0)
            placement->method = "other-ranks";
    }
    *chosen = placement->moved ? best : candidates;
    return CAUCUS_OK;
}

/* Gives the roles of each node to its ranks, by the levels inside. */
static int place_inside_all(const struct candidate *chosen, const struct caucus_ties *ties,
                            const struct caucus_places *places,
                            struct caucus_graph_placement *placement) {
    int32_t vertices = ties->vertices, nodes = chosen->problem.nodes.count;
    const int32_t *node_of = placement->moved ? chosen->choice.node_of_vertex : chosen->given;
    int32_t *start = caucus_array(2 * ((int64_t)nodes + 2) + 4 * (int64_t)vertices, sizeof *start);
    if (!start)
        return CAUCUS_NO_MEMORY;
    int32_t *start_of_ranks = start + nodes + 2, *role = start_of_ranks + nodes + 2;
    int32_t *rank = role + vertices, *rank_of = rank + vertices, *number = rank_of + vertices;
    struct caucus_inner inner = {ties, places, number, placement->inner_given,
                                 placement->inner_placed};
    caucus_list_by(vertices, node_of, nodes, start, role);
    caucus_list_by(vertices, chosen->given, nodes, start_of_ranks, rank);
    for (int32_t i = 0; i < vertices; i++) {
        number[i] = -1;
        rank_of[i] = chosen->rank[rank[i]];
    }
    int status = CAUCUS_OK;
    for (int32_t node = 0; node < nodes && !status; node++)
        status = caucus_graph_place_inside(&inner, start[node + 1] - start[node],
                                           role + start[node], rank_of + start[node]);
    for (int32_t i = 0; i < vertices; i++)
        placement->rank_of_vertex[role[i]] = rank_of[i];
    free(start);
    return status;
}

/* Of ranks that stay on their nodes: whether it pays that they trade places there. */
static void settle_inside(const struct caucus_places *places, double threshold,
                          struct caucus_graph_placement *placement, int32_t vertices) {
    if (placement->moved)
        return;
    for (int level = 0; level < places->levels; level++)
        placement->moved |= caucus_graph_pays(placement->inner_given[level],
                                              placement->inner_placed[level], threshold);
    if (placement->moved) {
        placement->method = "within-node";
        return;
    }
    memcpy(placement->inner_placed, placement->inner_given, sizeof placement->inner_given);
    for (int32_t vertex = 0; vertex < vertices; vertex++)
        placement->rank_of_vertex[vertex] = vertex;
}

int caucus_graph_place(const struct caucus_graph *graph, const struct caucus_places *places,
                       const struct caucus_partitioner *partitioners, double threshold,
                       struct caucus_graph_placement *placement) {
    struct candidate candidates[2], *chosen = NULL;
    struct caucus_ties ties = {0};
    int count = 0;
    *placement = (struct caucus_graph_placement){.method = "given"};
    placement->rank_of_vertex = caucus_array(graph->vertices, sizeof(int32_t));
    int status = placement->rank_of_vertex ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = find_candidates(graph, places, candidates, &count);
    if (!status)
        status = choose_nodes(candidates, count, partitioners, threshold, placement, &chosen);
    if (!status)
        status = caucus_ties_init(graph, &ties);
    if (!status)
        status = place_inside_all(chosen, &ties, places, placement);
    if (!status)
        settle_inside(places, threshold, placement, graph->vertices);
    caucus_ties_free(&ties);
    for (int i = 0; i < count; i++)
        candidate_free(&candidates[i]);
    if (status)
        caucus_graph_placement_free(placement);
    return status;
}

void caucus_graph_placement_free(struct caucus_graph_placement *placement) {
    free(placement->rank_of_vertex);
    memset(placement, 0, sizeof *placement);
}
