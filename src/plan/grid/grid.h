/* SPDX-License-Identifier: BSD-3-Clause */
/* A Cartesian grid of cells. Cells are numbered in row-major order, last dimension fastest, as MPI
 * numbers the ranks of a Cartesian communicator. */
#ifndef CAUCUS_PLAN_GRID_GRID_H
#define CAUCUS_PLAN_GRID_GRID_H

#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_GRID_MAX_DIMS = 10 };

struct caucus_grid {
    int ndims; /* 0 (one cell) to CAUCUS_GRID_MAX_DIMS */
    int dims[CAUCUS_GRID_MAX_DIMS];
    bool periodic[CAUCUS_GRID_MAX_DIMS];
    int64_t size; /* the product of dims, at most INT32_MAX */
};

/* Whether there may be so many dimensions. */
int caucus_grid_check_ndims(int ndims);

/* Checks and copies. periodic may be NULL (all open). */
int caucus_grid_init(struct caucus_grid *grid, int ndims, const int *dims, const int *periodic);

void caucus_grid_coordinates(const struct caucus_grid *grid, int64_t cell, int *coordinates);
int64_t caucus_grid_cell(const struct caucus_grid *grid, const int *coordinates);

/* From the coordinates of one cell to those of the next. */
void caucus_grid_next(const struct caucus_grid *grid, int *coordinates);

/* A step along an axis: from 0 to size - 1 along a periodic one, as it is along an open one. */
static inline int64_t caucus_grid_step(const struct caucus_grid *grid, int axis, int64_t step) {
    int64_t size = grid->dims[axis];
    return grid->periodic[axis] ? (step % size + size) % size : step;
}

/* The cell at coordinates + offset, wrapped on periodic axes; -1 beyond an open edge. */
int64_t caucus_grid_neighbor(const struct caucus_grid *grid, const int *coordinates,
                             const int *offset);

/* Sorts axes by key[axis], the largest first, equal ones as they came. */
void caucus_order_axes(int count, const double *key, int *axis);

/* Lists 0 .. count - 1 by their keys, 0 .. keys - 1: those with key k are list[start[k]] to
 * list[start[k + 1] - 1], ascending. start has keys + 2 entries. */
void caucus_list_by(int64_t count, const int32_t *key, int32_t keys, int32_t *start, int32_t *list);

/* Sort ascending. */
void caucus_sort_numbers(int64_t count, int32_t *numbers);
void caucus_sort_cells(int64_t count, int64_t *cells);

#endif
