/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes node sizes exact again after a search that let them drift. */
#ifndef CAUCUS_PLAN_GRID_REPAIR_H
#define CAUCUS_PLAN_GRID_REPAIR_H

#include "plan/machine/nodes.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
