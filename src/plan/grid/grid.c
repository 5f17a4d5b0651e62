/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/grid.h"

#include "base/status.h"

#include <string.h>

int caucus_grid_init(struct caucus_grid *grid, int ndims, const int *dims, const int *periodic) {
    memset(grid, 0, sizeof *grid);
    if (ndims < 0 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                           CAUCUS_GRID_MAX_DIMS);
    if (ndims > 0 && !dims)
        return caucus_fail(CAUCUS_BAD_DIMS, "dims is a null pointer: %d dimensions are needed",
                           ndims);
    grid->ndims = ndims;
    grid->size = 1;
    for (int axis = 0; axis < ndims; axis++) {
        if (dims[axis] < 1)
            return caucus_fail(CAUCUS_BAD_DIMS, "dims[%d] is %d: it must be positive", axis,
                               dims[axis]);
        grid->dims[axis] = dims[axis];
        grid->periodic[axis] = periodic && periodic[axis];
        grid->size *= dims[axis]; /* below 2^62: both factors were at most INT32_MAX */
        if (grid->size > INT32_MAX)
            return caucus_fail(CAUCUS_BAD_DIMS,
                               "the product of dims[0] to dims[%d] is more than %d ranks", axis,
                               INT32_MAX);
    }
    return CAUCUS_OK;
}

void caucus_grid_coordinates(const struct caucus_grid *grid, int64_t cell, int *coordinates) {
    for (int axis = grid->ndims - 1; axis >= 0; axis--) {
        coordinates[axis] = (int)(cell % grid->dims[axis]);
        cell /= grid->dims[axis];
    }
}

int64_t caucus_grid_cell(const struct caucus_grid *grid, const int *coordinates) {
    int64_t cell = 0;
    for (int axis = 0; axis < grid->ndims; axis++)
        cell = cell * grid->dims[axis] + coordinates[axis];
    return cell;
}

int64_t caucus_grid_neighbor(const struct caucus_grid *grid, const int *coordinates,
                             const int *offset) {
    int64_t cell = 0;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis];
        int64_t at = (int64_t)coordinates[axis] + offset[axis];
        if (at < 0 || at >= size) {
            if (!grid->periodic[axis])
                return -1;
            at %= size;
            if (at < 0)
                at += size;
        }
        cell = cell * size + at;
    }
    return cell;
}
