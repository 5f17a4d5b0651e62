/* SPDX-License-Identifier: BSD-3-Clause */
/* Improves a mapping by annealing with soft node sizes and an exact repair. */
#ifndef CAUCUS_PLAN_GRID_REFINE_H
#define CAUCUS_PLAN_GRID_REFINE_H

#include "plan/grid/problem.h"

/* Anneals node_of_cell for so many sweeps from a starting temperature (in units of the mean
 * half-weight of the stencil) and repairs the sizes. The outcome may be worse than the start: the
 * caller compares. Deterministic for a seed. O(size) memory. */
int caucus_grid_anneal(const struct caucus_grid_problem *problem, double temperature, int sweeps,
                       uint64_t seed, int32_t *node_of_cell);

/* The sweeps worth spending on a problem of this size: 0 where refinement does not pay. */
int caucus_grid_anneal_sweeps(const struct caucus_grid_problem *problem);

/* What a search works on: cells, and for each of them links other cells, with a weight per link.
 * A link to the cell number cells leads nowhere. */
struct caucus_cell_graph {
    int64_t cells;
    int links;
    const int32_t *table;  /* [cells][links] */
    const int32_t *weight; /* [links], at least 0; CAUCUS_WEIGHT_UNIT is a usual one */
};

enum { CAUCUS_WEIGHT_UNIT = 1 << 16 };

/* Moves cells from nodes that have too many to nodes that have too few, along chains of nodes that
 * make the cut grow least. node_of_cell has cells + 1 entries, the last -1. Afterwards every node
 * has just its size. */
int caucus_grid_repair(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                       int32_t *node_of_cell);

#endif
