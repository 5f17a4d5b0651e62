/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetries of a grid with its stencil that take some cell to cell 0: mirror images, and shifts
 * along periodic axes. A mapping seen through one costs what it did. An exchange of axes leaves
 * cell 0 where it is, so none is looked for. */
#ifndef CAUCUS_PLAN_GRID_MIRROR_H
#define CAUCUS_PLAN_GRID_MIRROR_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

/* Which axes are reversed: bit a stands for axis a. Every set of open axes that can be reversed is
 * there once, the empty one first. */
struct caucus_mirrors {
    int count;
    uint16_t mask[1 << CAUCUS_GRID_MAX_DIMS];
};

/* O(offsets * log(offsets)) for each axis, and for each set of axes of a stencil that has not the
 * usual symmetries; a large one of that kind is not looked at for all. */
int caucus_mirrors_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        struct caucus_mirrors *mirrors);

/* The cells that a mirror image can take to cell 0: the first, and whether there is one more. */
void caucus_mirror_first(const struct caucus_grid *grid, unsigned mask, int *origin);
bool caucus_mirror_next(const struct caucus_grid *grid, int *origin);

/* Whether the cell is one of these. */
bool caucus_mirror_reaches(const struct caucus_grid *grid, unsigned mask, const int *coordinates);

/* Where a cell goes if origin goes to cell 0. */
int64_t caucus_mirror_cell(const struct caucus_grid *grid, unsigned mask, const int *origin,
                           const int *coordinates);

#endif
