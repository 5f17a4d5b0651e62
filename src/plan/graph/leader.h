/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs that no process has whole. The leader of each node has the edges of its node's ranks and
 * no others, and all leaders together find who takes which role, in steps: what a leader works out
 * from the letters it has received, and the letters that it sends. They start with what was given,
 * or with blocks of consecutive roles where these are cheaper, and meet in groups of a few nodes
 * then, in rounds: one of a group divides the roles of all anew, by the ties between them. What
 * is between different groups stays between nodes whatever they do, so the cut falls by just as
 * much as each group gains. */
#ifndef CAUCUS_PLAN_GRAPH_LEADER_H
#define CAUCUS_PLAN_GRAPH_LEADER_H

#include "plan/graph/held.h"
#include "plan/grid/evaluate.h"

/* What all leaders add up between two steps. */
enum { CAUCUS_LEADER_SUMS = 2 };

struct caucus_leader {
    /* Set by caucus_leader_init. */
    const struct caucus_nodes *nodes;
    int32_t node, roles;
    struct caucus_registry registry; /* of the nodes that have the roles */
    int step, round, idle;           /* idle: rounds in a row that gained next to nothing */
    struct caucus_own_edges own;
    /* Known after the steps that say so. */
    struct caucus_held home;           /* the roles of its own ranks */
    struct caucus_held held;           /* those that its node has now */
    bool blocks;                       /* all started with blocks */
    bool meets;                        /* this node is in a group */
    int32_t chosen;                    /* the leader that it proposed to; -1 for none */
    bool *tried;                       /* [nodes] whom it met without any change since its last */
    int64_t cut;                       /* of all nodes, twice */
    int64_t sum[CAUCUS_LEADER_SUMS];   /* this one's, of the step before */
    int64_t total[CAUCUS_LEADER_SUMS]; /* of all leaders: set by the caller */
    bool done;
    struct caucus_grid_share given, placed; /* what its node costs */
};

/* roles: how many the graph has, at most as many as ranks; those beyond have no edges and cost
 * nothing. own: what the ranks of the node give, each for the role of its own number; the caller's,
 * as nodes is, for as long as there are steps. To be freed, also where it fails. */
int caucus_leader_init(struct caucus_leader *leader, const struct caucus_nodes *nodes, int32_t node,
                       int32_t roles, const struct caucus_own_edges *own);
void caucus_leader_free(struct caucus_leader *leader);

/* The next step, until it is done, which all leaders are after the same one; their number has a
 * bound. received: what all have sent to this one in the step before, none at first. sent: none
 * yet; to be closed by the caller. Before the next step the sums of all
 * leaders are added up. Pure and deterministic; O(edges of the nodes of a group + nodes) memory. */
int caucus_leader_step(struct caucus_leader *leader, const struct caucus_letters *received,
                       struct caucus_letters *sent);

/* When it is done: the roles of the node go to its ranks, listed ascending, whose parts on the
 * levels inside the node are part[level]; role_of_local[i] is that of rank i on return. moved:
 * whether roles have left their nodes, else they are those of the node's own ranks. given, placed:
 * [levels] what it costs that they are listed so, and paired so. */
int caucus_leader_pair(const struct caucus_leader *leader, bool moved, int levels,
                       const int32_t *const *part, double *given, double *placed,
                       int32_t *role_of_local);

#endif
