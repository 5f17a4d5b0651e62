/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals consecutive positions out to the nodes, in their order: for mappers that work out an order
 * of the cells. */
#ifndef CAUCUS_PLAN_GRID_DEAL_H
#define CAUCUS_PLAN_GRID_DEAL_H

#include "plan/machine/nodes.h"

struct caucus_deal {
    const struct caucus_nodes *nodes;
    int32_t node; /* who gets the next position, once left is not 0 */
    int32_t left; /* how many more it gets */
};

static inline struct caucus_deal caucus_deal_begin(const struct caucus_nodes *nodes) {
    return (struct caucus_deal){nodes, 0, caucus_nodes_size(nodes, 0)};
}

/* The node of the next position; to be called at most nodes->ranks times. */
static inline int32_t caucus_deal_next(struct caucus_deal *deal) {
    if (deal->left == 0)
        deal->left = caucus_nodes_size(deal->nodes, ++deal->node);
    deal->left--;
    return deal->node;
}

#endif
