/* SPDX-License-Identifier: BSD-3-Clause */
/* The roles that a node has, each with its ties to any others: what its leader knows of a graph. */
#ifndef CAUCUS_PLAN_GRAPH_HELD_H
#define CAUCUS_PLAN_GRAPH_HELD_H

#include "plan/graph/graph.h"
#include "plan/graph/registry.h"

struct caucus_held_tie {
    int64_t to;
    int64_t edges, out; /* how many lead there, and what they weigh */
    int64_t both;       /* what those lead and weigh that come back, too */
};

struct caucus_held {
    int32_t count;
    int32_t *role;               /* ascending */
    int64_t *start;              /* [count + 1] */
    struct caucus_held_tie *tie; /* ascending for each role, none to itself */
};

void caucus_held_free(struct caucus_held *held);

/* The edges that leave a node's roles, as they are known before any letter. */
struct caucus_own_edges {
    int32_t count;
    const int32_t *role; /* [count] ascending */
    const int64_t *start;
    const int32_t *to;
    const int32_t *weight; /* NULL: all 1 */
};

/* Tells each edge to the node that has the role it leads to, which nodes says. */
void caucus_held_tell(const struct caucus_own_edges *own, const struct caucus_answers *nodes,
                      struct caucus_letters *letters);

/* The ties of a node's roles: their own edges and those that were told. */
int caucus_held_join(const struct caucus_own_edges *own, const struct caucus_letters *received,
                     struct caucus_held *held);

/* One role in a letter, with its ties; and all that were received, sorted, with the leader that
 * each came from where from is not NULL (to be freed). */
void caucus_held_send(const struct caucus_held *held, int32_t index, int32_t to,
                      struct caucus_letters *letters);
int caucus_held_receive(const struct caucus_letters *received, struct caucus_held *held,
                        int32_t **from);

/* The roles at the other ends, each once, ascending: to be freed; NULL without memory. */
int32_t *caucus_held_neighbors(const struct caucus_held *held, int64_t *count);

/* Those ties that lead to one of the roles themselves, each role by its place. */
int caucus_held_among(const struct caucus_held *held, struct caucus_ties *ties);

#endif
