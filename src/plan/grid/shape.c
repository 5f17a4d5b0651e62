/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/shape.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* The coordinate behind the largest gap of a set that touches both ends of a periodic axis. */
static int32_t behind_gap(int count, const int32_t *coordinate, int32_t *sorted) {
    memcpy(sorted, coordinate, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    int32_t first = sorted[0], gap = 1;
    for (int i = 1; i < count; i++)
        if (sorted[i] - sorted[i - 1] > gap) {
            gap = sorted[i] - sorted[i - 1];
            first = sorted[i];
        }
    return first;
}

int caucus_shape_coordinates(const struct caucus_grid *grid, int count, const int64_t *cells,
                             int32_t *coordinate) {
    int32_t *sorted = caucus_array(count, sizeof *sorted);
    if (!sorted)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cells[i], at);
        for (int axis = 0; axis < grid->ndims; axis++)
            coordinate[axis * (int64_t)count + i] = at[axis];
    }
    for (int axis = 0; axis < grid->ndims; axis++) {
        int32_t *along = coordinate + axis * (int64_t)count;
        int32_t size = grid->dims[axis], first = size, last = 0;
        for (int i = 0; i < count; i++) {
            first = along[i] < first ? along[i] : first;
            last = along[i] > last ? along[i] : last;
        }
        if (grid->periodic[axis] && first == 0 && last == size - 1)
            first = behind_gap(count, along, sorted);
        for (int i = 0; i < count; i++)
            along[i] -= along[i] < first ? first - size : first;
    }
    free(sorted);
    return CAUCUS_OK;
}

int32_t caucus_shape_position(int count, const int64_t *cells, int64_t cell) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && cells[low] == cell ? low : -1;
}
