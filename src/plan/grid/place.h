/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a node: which of the node's ranks takes which of its cells, so that packages and shared
 * caches get compact sets of cells too. */
#ifndef CAUCUS_PLAN_GRID_PLACE_H
#define CAUCUS_PLAN_GRID_PLACE_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

/* cells: the node's count cells, any order. part_of_local[level][j]: the part (package, then cache)
 * of local rank j, numbered from 0 by first appearance within the node; levels may be 0.
 * keep_first: local rank 0 gets the lowest cell. Writes
 * cell_of_local[count], a permutation of cells, the same for every order in which cells are given,
 * and the weight of the edges between different parts of each level: before, if the cells go to the
 * local ranks in ascending order, and after. Pure, deterministic; O(count log(count) ndims!) at
 * most. */
int caucus_grid_place(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      int count, const int64_t *cells, int levels,
                      const int32_t *const *part_of_local, bool keep_first, int64_t *cell_of_local,
                      double *before, double *after);

#endif
