/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a node: which of the node's ranks takes which of its cells, so that packages and shared
 * caches get compact sets of cells too. */
#ifndef CAUCUS_PLAN_GRID_PLACE_H
#define CAUCUS_PLAN_GRID_PLACE_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cells: the node's count cells, any order. part_of_local[level][j]: the part (package, then cache)
 * of local rank j, numbered from 0 by first appearance within the node; levels may be 0. Writes
 * cell_of_local[count], a permutation of cells, the same for every order in which cells are given.
 * Pure, deterministic; O(count * ndims!) at most. */
int caucus_grid_place(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      int count, const int64_t *cells, int levels,
                      const int32_t *const *part_of_local, int64_t *cell_of_local);

/* The weight of the edges between different parts of a level if local rank j takes
 * cell_of_local[j]. */
int caucus_grid_place_cut(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                          int count, const int64_t *cell_of_local, const int32_t *part_of_local,
                          double *cut);

#ifdef __cplusplus
}
#endif

#endif
