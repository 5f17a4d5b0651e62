/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of cells seen from its own corner, so that translated copies look alike. */
#ifndef CAUCUS_PLAN_GRID_SHAPE_H
#define CAUCUS_PLAN_GRID_SHAPE_H

#include "plan/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* coordinate[axis * count + i]: the coordinate of cells[i], counted from the set's lowest one. A
 * set that lies across the seam of a periodic axis is counted from behind its largest gap. */
int caucus_shape_coordinates(const struct caucus_grid *grid, int count, const int64_t *cells,
                             int32_t *coordinate);

/* Where cell is among the set's cells, which ascend; -1 if it is not one of them. */
int32_t caucus_shape_position(int count, const int64_t *cells, int64_t cell);

#ifdef __cplusplus
}
#endif

#endif
