/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/grid.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int caucus_grid_check_ndims(int ndims) {
    return ndims >= 0 && ndims <= CAUCUS_GRID_MAX_DIMS
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                             CAUCUS_GRID_MAX_DIMS);
}

int caucus_grid_init(struct caucus_grid *grid, int ndims, const int *dims, const int *periodic) {
    memset(grid, 0, sizeof *grid);
    if (caucus_grid_check_ndims(ndims))
        return CAUCUS_BAD_DIMS;
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

void caucus_grid_next(const struct caucus_grid *grid, int *coordinates) {
    for (int axis = grid->ndims - 1; axis >= 0 && ++coordinates[axis] == grid->dims[axis]; axis--)
        coordinates[axis] = 0;
}

int64_t caucus_grid_neighbor(const struct caucus_grid *grid, const int *coordinates,
                             const int *offset) {
    int64_t cell = 0;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis];
        int64_t at = (int64_t)coordinates[axis] + offset[axis];
        if (at < 0 || at >= size) { /* seldom: it takes a division */
            if (!grid->periodic[axis])
                return -1;
            at = caucus_grid_step(grid, axis, at);
        }
        cell = cell * size + at;
    }
    return cell;
}

void caucus_order_axes(int count, const double *key, int *axis) {
    for (int i = 1; i < count; i++) {
        int moved = axis[i], place = i;
        for (; place > 0 && key[axis[place - 1]] < key[moved]; place--)
            axis[place] = axis[place - 1];
        axis[place] = moved;
    }
}

void caucus_list_by(int64_t count, const int32_t *key, int32_t keys, int32_t *start,
                    int32_t *list) {
    memset(start, 0, ((size_t)keys + 2) * sizeof *start);
    for (int64_t i = 0; i < count; i++)
        start[key[i] + 2]++;
    for (int32_t k = 0; k < keys; k++)
        start[k + 2] += start[k + 1];
    for (int64_t i = 0; i < count; i++)
        list[start[key[i] + 1]++] = (int32_t)i;
}

static int compare_numbers(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

void caucus_sort_numbers(int64_t count, int32_t *numbers) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
}

static int compare_cells(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

void caucus_sort_cells(int64_t count, int64_t *cells) {
    qsort(cells, (size_t)count, sizeof *cells, compare_cells);
}
