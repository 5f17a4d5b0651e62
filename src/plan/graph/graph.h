/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph of roles: role v sends weight[k] to role to[k], for k from start[v] to start[v + 1] - 1.
 * The same edge may come several times, and lead to its own role. */
#ifndef CAUCUS_PLAN_GRAPH_GRAPH_H
#define CAUCUS_PLAN_GRAPH_GRAPH_H

#include "plan/grid/evaluate.h"

#include <stdint.h>

struct caucus_graph {
    int32_t vertices;
    const int64_t *start; /* [vertices + 1], ascending from 0 */
    const int32_t *to;
    const int32_t *weight; /* at least 0; NULL: all 1 */
};

/* Checks starts, ends and weights. */
int caucus_graph_check(const struct caucus_graph *graph);

/* What it costs that vertices lie in these parts, 0 to parts - 1: edges between a role and itself
 * are none, those that come several times count as often. O(edges). */
int caucus_graph_evaluate(const struct caucus_graph *graph, const int32_t *part_of_vertex,
                          int32_t parts, struct caucus_grid_score *score);

/* Who is tied to whom, and how much both send to each other in all: each pair once in the list of
 * either, without those that send nothing. */
struct caucus_ties {
    int32_t vertices;
    int64_t *start; /* [vertices + 1] */
    int32_t *to;    /* ascending for each vertex */
    int64_t *weight;
};

int caucus_ties_init(const struct caucus_graph *graph, struct caucus_ties *ties);

/* Those among some of the vertices, which have the numbers of their places in the list then. number
 * has an entry for each vertex, all -1 before and after. */
int caucus_ties_among(const struct caucus_ties *ties, int32_t count, const int32_t *vertex,
                      int32_t *number, struct caucus_ties *among);
void caucus_ties_free(struct caucus_ties *ties);

/* The weight between vertices of different parts, each pair once. */
int64_t caucus_ties_cut(const struct caucus_ties *ties, const int32_t *part_of_vertex);

#endif
