/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank takes which role of a graph, on nodes and on the levels inside them. */
#ifndef CAUCUS_PLAN_GRAPH_PLACE_H
#define CAUCUS_PLAN_GRAPH_PLACE_H

#include "plan/graph/choose.h"

enum { CAUCUS_GRAPH_INNER_LEVELS = 2 };

/* Where the ranks lie. */
struct caucus_places {
    int32_t ranks;
    int32_t nodes;
    const int32_t *node;                            /* [ranks], each node named */
    int levels;                                     /* inside nodes, the upper ones first */
    const int32_t *part[CAUCUS_GRAPH_INNER_LEVELS]; /* [ranks]: it tells ranks of a node apart */
};

struct caucus_graph_placement {
    bool moved;         /* otherwise role i goes to rank i */
    const char *method; /* "given" if not, "within-node" if ranks stay on their nodes */
    int32_t *rank_of_vertex;
    struct caucus_grid_score given, placed; /* between nodes */
    double inner_given[CAUCUS_GRAPH_INNER_LEVELS], inner_placed[CAUCUS_GRAPH_INNER_LEVELS];
};

/* Whether it is worth that ranks move: it saves at least the fraction threshold, and anything. */
static inline bool caucus_graph_pays(double given, double placed, double threshold) {
    return placed < given && placed <= given * (1 - threshold);
}

/* Places the roles, at most as many as ranks. With fewer, the first ranks compete with the largest
 * nodes whole. Ranks move to other nodes only if that saves at least the fraction threshold of the
 * weight between nodes, and within theirs only if it saves that between parts of some level, and
 * costs at none. O(edges + ranks) memory. */
int caucus_graph_place(const struct caucus_graph *graph, const struct caucus_places *places,
                       const struct caucus_partitioner *partitioners, double threshold,
                       struct caucus_graph_placement *placement);
void caucus_graph_placement_free(struct caucus_graph_placement *placement);

/* Inside a node: which of its ranks, listed ascending, takes which of count roles, listed ascending
 * too. rank_of[i] is taken by role[i] on return. Adds the weight between parts of each level, for
 * roles and ranks as they are listed and as they are placed. number: as for caucus_ties_among. */
struct caucus_inner {
    const struct caucus_ties *ties; /* of all roles */
    const struct caucus_places *places;
    int32_t *number;
    double *given, *placed; /* [levels] */
};
int caucus_graph_place_inside(const struct caucus_inner *inner, int32_t count, const int32_t *role,
                              int32_t *rank_of);

#endif
