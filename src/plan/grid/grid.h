/* SPDX-License-Identifier: BSD-3-Clause */
/* A Cartesian grid of cells. Cells are numbered in row-major order, last dimension fastest, as MPI
 * numbers the ranks of a Cartesian communicator. */
#ifndef CAUCUS_PLAN_GRID_GRID_H
#define CAUCUS_PLAN_GRID_GRID_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_GRID_MAX_DIMS = 10 };

struct caucus_grid {
    int ndims; /* 0 (one cell) to CAUCUS_GRID_MAX_DIMS */
    int dims[CAUCUS_GRID_MAX_DIMS];
    bool periodic[CAUCUS_GRID_MAX_DIMS];
    int64_t size; /* the product of dims, at most INT32_MAX */
};

/* Checks and copies. periodic may be NULL (all open). */
int caucus_grid_init(struct caucus_grid *grid, int ndims, const int *dims, const int *periodic);

void caucus_grid_coordinates(const struct caucus_grid *grid, int64_t cell, int *coordinates);
int64_t caucus_grid_cell(const struct caucus_grid *grid, const int *coordinates);

/* The cell at coordinates + offset, wrapped on periodic axes; -1 beyond an open edge. */
int64_t caucus_grid_neighbor(const struct caucus_grid *grid, const int *coordinates,
                             const int *offset);

#ifdef __cplusplus
}
#endif

#endif
