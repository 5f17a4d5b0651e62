/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vertex goes to which part, where parts have fixed sizes. */
#ifndef CAUCUS_PLAN_GRAPH_CHOOSE_H
#define CAUCUS_PLAN_GRAPH_CHOOSE_H

#include "plan/graph/graph.h"

/* A partitioner from elsewhere, such as METIS: divides vertices into parts of about these sizes.
 * start, to, weight: who is tied to whom, each pair in the lists of both with the same weight, 1 or
 * more, all of them together at most CAUCUS_PARTITION_WEIGHT (for up to half as many ties). One
 * method or another. False where it does not serve. */
typedef bool caucus_partition_function(int32_t vertices, const int64_t *start, const int32_t *to,
                                       const int32_t *weight, int32_t parts, const int32_t *size,
                                       int method, int32_t *part_of_vertex);

enum { CAUCUS_PARTITION_WEIGHT = 1 << 30 };

struct caucus_partitioner {
    const char *name; /* of static storage; NULL behind the last of a list */
    caucus_partition_function *partition;
    int methods; /* 0 to methods - 1 */
};

struct caucus_graph_problem {
    const struct caucus_graph *graph;
    struct caucus_nodes nodes;                     /* nodes.ranks is graph->vertices */
    const struct caucus_partitioner *partitioners; /* NULL: our own methods alone */
};

struct caucus_graph_choice {
    const char *method;      /* "given" where nothing beat what was given */
    int32_t *node_of_vertex; /* owned: caucus_graph_choice_free */
    struct caucus_grid_score score, given;
};

/* Tries all methods and refines the best. The outcome is never worse than what was given, which has
 * the nodes' sizes: least jsum, then least jmax. Deterministic if the partitioner is. */
int caucus_graph_choose(const struct caucus_graph_problem *problem, const int32_t *given,
                        struct caucus_graph_choice *choice);
void caucus_graph_choice_free(struct caucus_graph_choice *choice);

/* The names of methods: NULL beyond the end. */
const char *caucus_graph_method(int index);

#endif
