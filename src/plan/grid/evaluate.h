/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mapping costs. */
#ifndef CAUCUS_PLAN_GRID_EVALUATE_H
#define CAUCUS_PLAN_GRID_EVALUATE_H

#include "plan/grid/problem.h"

struct caucus_neighbor_range {
    int min, max;
    double mean;
};

/* Edges are directed: one per cell and stencil offset that leads to another cell. */
struct caucus_grid_score {
    double jsum;                      /* weight of the edges between parts */
    double jmax;                      /* weight of the edges that leave the worst part */
    double total;                     /* weight of all edges */
    struct caucus_neighbor_range on;  /* a cell's neighbours within its part, not weighted */
    struct caucus_neighbor_range off; /* and in other parts */
};

/* part_of_cell has grid.size entries in 0 .. parts-1: nodes, or the parts of a level below. */
int caucus_grid_evaluate(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                         const int32_t *part_of_cell, int32_t parts,
                         struct caucus_grid_score *score);

/* What a mapping costs, seen from one node: it knows its own cells, and that all others are
 * elsewhere. So a mapping is evaluated in parallel, without a table of all cells anywhere. */
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

/* Whether a is the better: least jsum, then least jmax; differences in the last bits are none. */
bool caucus_grid_better(const struct caucus_grid_score *a, const struct caucus_grid_score *b);

/* Checks that node_of_cell gives every node just its size. */
int caucus_grid_check_sizes(const struct caucus_grid_problem *problem, const int32_t *node_of_cell);

#endif
