/* SPDX-License-Identifier: BSD-3-Clause */
/* All leaders of a machine (plan/graph/leader.h), played in one process. */
#ifndef CAUCUS_STUDY_GRAPH_LEADERS_H
#define CAUCUS_STUDY_GRAPH_LEADERS_H

#include "plan/graph/leader.h"

struct caucus_leaders {
    int32_t count;
    struct caucus_leader *leader;
    int steps;
    int64_t numbers, most; /* sent in all; and by one leader, or to one, in one step */
    /* What they start with. */
    int32_t *role;  /* listed by node */
    int32_t *first; /* [count + 2] of each node */
    int64_t *start; /* of the edges of each role as listed, from 0 for each node */
    int32_t *to, *weight;
};

/* Plays them to the end. node_of_rank gives every node just its size. To be freed, also where it
 * fails. */
int caucus_leaders_play(const struct caucus_graph *graph, const struct caucus_nodes *nodes,
                        const int32_t *node_of_rank, struct caucus_leaders *leaders);
void caucus_leaders_free(struct caucus_leaders *leaders);

/* The nodes that have the roles at the end, of all roles. */
void caucus_leaders_nodes(const struct caucus_leaders *leaders, int32_t *node_of_role);

#endif
