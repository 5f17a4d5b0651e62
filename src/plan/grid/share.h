/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mapping costs, seen from one node: it knows its own cells, and that all others are
 * elsewhere. So a mapping is evaluated in parallel, without a table of all cells anywhere. */
#ifndef CAUCUS_PLAN_GRID_SHARE_H
#define CAUCUS_PLAN_GRID_SHARE_H

#include "plan/grid/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the edges that leave cells of one node. */
struct caucus_grid_share {
    double leaving; /* weight of those to other nodes */
    double total;   /* weight of all */
    int64_t cells;
    int64_t on, off; /* neighbours on the node and elsewhere, summed over the cells */
    int on_min, on_max, off_min, off_max; /* of a cell; 0 where there are no cells */
};

/* cells: count cells of the node, ascending. O(count * offsets * log count). */
void caucus_grid_evaluate_share(const struct caucus_grid *grid,
                                const struct caucus_stencil *stencil, int count,
                                const int64_t *cells, struct caucus_grid_share *share);

#ifdef __cplusplus
}
#endif

#endif
