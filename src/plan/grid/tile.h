/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings that give every node one box of the same shape. */
#ifndef CAUCUS_PLAN_GRID_TILE_H
#define CAUCUS_PLAN_GRID_TILE_H

#include "plan/grid/evaluate.h"

/* Node i gets the i-th box of tile[0] x tile[1] x ... cells, boxes in row-major order. tile[a]
 * divides dims[a], and the product of tile is the size of every node. */
void caucus_tile_fill(const struct caucus_grid *grid, const int *tile, int32_t *node_of_cell);

/* jsum and jmax of that mapping in closed form, O(stencil). jmax looks at more than one box only
 * along axes on which no box is beyond the stencil's reach of both ends. */
double caucus_tile_jsum(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        const int *tile);
double caucus_tile_jmax(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        const int *tile);

#endif
