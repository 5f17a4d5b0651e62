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
 * A link to the cell number cells leads nowhere. Cells with different numbers of links have starts
 * in the table, and a weight for each of its entries. */
struct caucus_cell_graph {
    int64_t cells;
    int links;             /* of every cell; not used where there are starts */
    const int32_t *table;  /* [cells][links], or [start[cells]] */
    const int32_t *weight; /* [links], or as many as in the table: at least 0 */
    const int64_t *start;  /* NULL, or [cells + 1] */
};

enum { CAUCUS_WEIGHT_UNIT = 1 << 16 }; /* a usual weight */

/* The links of one cell. */
struct caucus_cell_links {
    int count;
    const int32_t *to, *weight;
};

static inline struct caucus_cell_links caucus_links_of_cell(const struct caucus_cell_graph *graph,
                                                            int64_t cell) {
    if (!graph->start)
        return (struct caucus_cell_links){graph->links, graph->table + cell * graph->links,
                                          graph->weight};
    int64_t first = graph->start[cell];
    return (struct caucus_cell_links){(int)(graph->start[cell + 1] - first), graph->table + first,
                                      graph->weight + first};
}

/* The same annealing of any such graph, its temperature in units of CAUCUS_WEIGHT_UNIT. */
int caucus_cells_anneal(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                        double temperature, int sweeps, uint64_t seed, int32_t *node_of_cell);

/* Moves cells from nodes that have too many to nodes that have too few, along chains of nodes that
 * make the cut grow least. node_of_cell has cells + 1 entries, the last -1. Afterwards every node
 * has just its size. */
int caucus_grid_repair(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                       int32_t *node_of_cell);

#endif
