/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested slabs: a cell order worked out by dynamic programming, such that nodes that take
 * consecutive positions of it have short borders. The plan is small and is looked up in both
 * directions without a table of cells. */
#ifndef CAUCUS_PLAN_GRID_SLABS_H
#define CAUCUS_PLAN_GRID_SLABS_H

#include "plan/grid/problem.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_slabs; /* opaque */

/* The best plan over axis orders and, where sizes differ, node orders. *slabs is to be given to
 * caucus_slabs_free. */
int caucus_slabs_plan(const struct caucus_grid_problem *problem, struct caucus_slabs **slabs);
void caucus_slabs_free(struct caucus_slabs *slabs);

/* position → cell and back, O(log size). */
int64_t caucus_slabs_cell(const struct caucus_slabs *slabs, int64_t position);
int64_t caucus_slabs_position(const struct caucus_slabs *slabs, int64_t cell);

/* Which node owns a position, and the first position of a node: O(log nodes) where sizes differ,
 * O(1) where they are equal. Nodes are numbered as in problem->nodes. */
int32_t caucus_slabs_node(const struct caucus_slabs *slabs, int64_t position);
int64_t caucus_slabs_first(const struct caucus_slabs *slabs, int32_t node);

/* The cost that the dynamic programme worked out (an estimate of jsum), and the bytes it keeps. */
double caucus_slabs_estimate(const struct caucus_slabs *slabs);
size_t caucus_slabs_memory(const struct caucus_slabs *slabs);

/* As a flat array of *count numbers, so that one rank can plan and send it; free() it. Unpacking
 * needs the same grid and node sizes. */
int caucus_slabs_pack(const struct caucus_slabs *slabs, int64_t **packed, int64_t *count);
int caucus_slabs_unpack(const struct caucus_grid *grid, const struct caucus_nodes *nodes,
                        const int64_t *packed, int64_t count, struct caucus_slabs **slabs);

#ifdef __cplusplus
}
#endif

#endif
