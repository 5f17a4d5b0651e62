/* SPDX-License-Identifier: BSD-3-Clause */
/* A box mapping is a product over the axes, so its edges can be counted axis by axis: the cells
 * whose neighbour at offset v exists are the product of the coordinates for which v_a stays in the
 * grid, those whose neighbour is in the same box the product of the coordinates for which v_a stays
 * in the tile. The difference is what leaves the node. */
#include "plan/grid/tile.h"

#include <stdlib.h>
#include <string.h>

void caucus_tile_fill(const struct caucus_grid *grid, const int *tile, int32_t *node_of_cell) {
    int at[CAUCUS_GRID_MAX_DIMS] = {0};
    for (int64_t cell = 0; cell < grid->size; cell++) {
        int64_t node = 0;
        for (int axis = 0; axis < grid->ndims; axis++)
            node = node * (grid->dims[axis] / tile[axis]) + at[axis] / tile[axis];
        node_of_cell[cell] = (int32_t)node;
        caucus_grid_next(grid, at);
    }
}

static bool stays(const struct caucus_grid *grid, const int *offset) {
    for (int axis = 0; axis < grid->ndims; axis++)
        if (caucus_grid_step(grid, axis, offset[axis]) != 0)
            return false;
    return true;
}

static int64_t at_least_zero(int64_t number) {
    return number > 0 ? number : 0;
}

/* How many of the tile's coordinates the step leads to another one of the same tile. */
static int64_t inside(const struct caucus_grid *grid, int axis, int tile, int step) {
    int64_t forward = caucus_grid_step(grid, axis, step);
    int64_t count = at_least_zero(tile - llabs(forward));
    if (grid->periodic[axis] && forward != 0)
        count += at_least_zero(tile - (grid->dims[axis] - forward));
    return count;
}

/* How many coordinates from first to first+tile-1 the step does not lead out of the grid. */
static int64_t existing(const struct caucus_grid *grid, int axis, int64_t first, int64_t tile,
                        int step) {
    if (grid->periodic[axis])
        return tile;
    int64_t low = first > -(int64_t)step ? first : -(int64_t)step;
    int64_t high = (int64_t)grid->dims[axis] - step;
    high = high < first + tile ? high : first + tile;
    return at_least_zero(high - low);
}

/* Weight of the edges from the cells of a box of the grid, count[a] tiles along axis a from tile
 * first[a] on, less those that stay within one of its tiles. */
static double leaving(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      const int *tile, const int64_t *first, const int64_t *count) {
    double sum = 0;
    for (int k = 0; k < stencil->count; k++) {
        const int *offset = caucus_stencil_offset(stencil, k);
        if (stays(grid, offset))
            continue;
        int64_t edges = 1, within = 1;
        for (int axis = 0; axis < grid->ndims; axis++) {
            edges *= existing(grid, axis, first[axis] * tile[axis], count[axis] * tile[axis],
                              offset[axis]);
            within *= count[axis] * inside(grid, axis, tile[axis], offset[axis]);
        }
        sum += stencil->weight[k] * (double)(edges - within);
    }
    return sum;
}

double caucus_tile_jsum(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        const int *tile) {
    int64_t first[CAUCUS_GRID_MAX_DIMS] = {0}, count[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < grid->ndims; axis++)
        count[axis] = grid->dims[axis] / tile[axis];
    return leaving(grid, stencil, tile, first, count);
}

/* Away from both ends of an axis, as far as the stencil reaches, no edge is missing: where there
 * are such boxes, the first of them stands for all. */
static void find_range(const struct caucus_grid *grid, int axis, int tile, int64_t reach,
                       int64_t *first, int64_t *end) {
    int64_t tiles = grid->dims[axis] / tile;
    int64_t margin = grid->periodic[axis] ? 0 : (reach + tile - 1) / tile;
    bool interior = 2 * margin < tiles;
    *first = interior ? margin : 0;
    *end = interior ? margin + 1 : tiles;
}

double caucus_tile_jmax(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        const int *tile) {
    int64_t reach[CAUCUS_GRID_MAX_DIMS] = {0}, first[CAUCUS_GRID_MAX_DIMS] = {0};
    int64_t end[CAUCUS_GRID_MAX_DIMS], at[CAUCUS_GRID_MAX_DIMS], single[CAUCUS_GRID_MAX_DIMS];
    for (int k = 0; k < stencil->count * grid->ndims; k++)
        if (llabs(stencil->offset[k]) > reach[k % grid->ndims])
            reach[k % grid->ndims] = llabs(stencil->offset[k]);
    for (int axis = 0; axis < grid->ndims; axis++) {
        find_range(grid, axis, tile[axis], reach[axis], &first[axis], &end[axis]);
        single[axis] = 1;
    }
    memcpy(at, first, sizeof at);
    double jmax = 0;
    for (int axis = 0; axis >= 0;) {
        double sum = leaving(grid, stencil, tile, at, single);
        jmax = sum > jmax ? sum : jmax;
        for (axis = grid->ndims - 1; axis >= 0 && ++at[axis] == end[axis]; axis--)
            at[axis] = first[axis];
    }
    return jmax;
}
