/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_GRID_SLABS_ORDERS_H
#define CAUCUS_PLAN_GRID_SLABS_ORDERS_H

#include "plan/grid/problem.h"

/* With fewer nodes than this the estimates of plans are too coarse to choose by. */
enum { SLABS_FEW_NODES = 200 };

struct slabs_axis_orders {
    int count; /* axes larger than 1 */
    int tried;
    int first[CAUCUS_GRID_MAX_DIMS]; /* the first order */
    int place[CAUCUS_GRID_MAX_DIMS];
};

void caucus_slabs_axis_orders_start(struct slabs_axis_orders *orders,
                                    const struct caucus_grid *grid);
/* The next order, of orders->count axes; false after the last. */
bool caucus_slabs_axis_orders_next(struct slabs_axis_orders *orders, int *axis);

struct slabs_node_orders {
    int32_t count;
    int tried;
    bool all;            /* all sequences of sizes are tried */
    bool sorted;         /* the given order has descending sizes */
    int32_t *descending; /* NULL: all nodes are equal */
    int32_t *node_at;
    int *class; /* of the node in each place: nodes of one size are a class */
};

int caucus_slabs_node_orders_start(struct slabs_node_orders *orders,
                                   const struct caucus_nodes *nodes, int axes);
/* The next order: the node in each place, NULL for the given order; valid until the next call.
 * False after the last. */
bool caucus_slabs_node_orders_next(struct slabs_node_orders *orders, const int32_t **node_at);
void caucus_slabs_node_orders_end(struct slabs_node_orders *orders);

#endif
