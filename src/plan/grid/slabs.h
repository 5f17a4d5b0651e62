/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested slabs: a cell order worked out by dynamic programming, such that nodes that take
 * consecutive positions of it have short borders. The plan is small and is looked up without a
 * table of cells. */
#ifndef CAUCUS_PLAN_GRID_SLABS_H
#define CAUCUS_PLAN_GRID_SLABS_H

#include "plan/grid/problem.h"

struct caucus_slabs; /* opaque */

/* The best plan over axis orders and, where sizes differ, node orders. *slabs is to be given to
 * caucus_slabs_free. */
int caucus_slabs_plan(const struct caucus_grid_problem *problem, struct caucus_slabs **slabs);
void caucus_slabs_free(struct caucus_slabs *slabs);

/* The cell at a position, O(log size). */
int64_t caucus_slabs_cell(const struct caucus_slabs *slabs, int64_t position);

/* Which node owns a position, in O(log nodes), and the first position of a node, in O(nodes); both
 * in O(1) where sizes are equal. Nodes are numbered as in problem->nodes. */
int32_t caucus_slabs_node(const struct caucus_slabs *slabs, int64_t position);
int64_t caucus_slabs_first(const struct caucus_slabs *slabs, int32_t node);

/* The cost that the dynamic programme worked out: an estimate of jsum. */
double caucus_slabs_estimate(const struct caucus_slabs *slabs);

/* As a flat array of *count numbers, so that one rank can plan and send it; free() it. Unpacking
 * needs the same grid and node sizes. */
int caucus_slabs_pack(const struct caucus_slabs *slabs, int64_t **packed, int64_t *count);
int caucus_slabs_unpack(const struct caucus_grid *grid, const struct caucus_nodes *nodes,
                        const int64_t *packed, int64_t count, struct caucus_slabs **slabs);

#endif
