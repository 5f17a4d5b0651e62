/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic of a placement, added up by the leaders of the nodes. */
#ifndef CAUCUS_API_GRID_MEASURE_H
#define CAUCUS_API_GRID_MEASURE_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"
#include "run/attach.h"

#include <caucus/grid.h>

/* The leader gets the cells of its node, ascending, without those that are -1: cells has room for
 * one for each local rank. All ranks. */
int caucus_grid_collect(const struct caucus_attachment *attachment, int64_t cell, int *count,
                        int64_t *cells);

void caucus_grid_sort_cells(int count, int64_t *cells);

/* The traffic if each leader's node has these cells; *traffic on rank 0. Leaders only. */
int caucus_grid_measure(const struct caucus_attachment *attachment, const struct caucus_grid *grid,
                        const struct caucus_stencil *stencil, int count, const int64_t *cells,
                        caucus_cart_traffic *traffic);

#endif
