/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals consecutive positions out to the nodes, in their order: for mappers that work out an order
 * of the cells. */
#ifndef CAUCUS_PLAN_GRID_DEAL_H
#define CAUCUS_PLAN_GRID_DEAL_H

#include "plan/grid/grid.h"
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

/* Deals out the cells of a box, walked along these axes, the last one fastest. */
static inline void caucus_deal_box(struct caucus_deal *deal, const struct caucus_grid *grid,
                                   const int *first, const int *sides, int axes, const int *axis,
                                   int32_t *node_of_cell) {
    int at[CAUCUS_GRID_MAX_DIMS];
    int64_t cells = 1;
    for (int a = 0; a < grid->ndims; a++) {
        at[a] = first[a];
        cells *= sides[a];
    }
    for (int64_t count = 0; count < cells; count++) {
        node_of_cell[caucus_grid_cell(grid, at)] = caucus_deal_next(deal);
        for (int i = axes - 1; i >= 0 && ++at[axis[i]] == first[axis[i]] + sides[axis[i]]; i--)
            at[axis[i]] = first[axis[i]];
    }
}

#endif
