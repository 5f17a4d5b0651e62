/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom: each cell sends weight[k] to the cell at offset k. A neighbour that is the
 * cell itself (a periodic axis of 1) never counts; one reached by two offsets (a periodic axis of
 * 2) counts twice, because two messages go there. */
#ifndef CAUCUS_PLAN_GRID_STENCIL_H
#define CAUCUS_PLAN_GRID_STENCIL_H

#include "plan/grid/grid.h"

#include <stdbool.h>
#include <stddef.h>

enum { CAUCUS_STENCIL_MOST_OFFSETS = 1 << 20 };

struct caucus_stencil {
    int ndims;
    int count;
    int *offset;    /* [count][ndims] */
    double *weight; /* [count], finite, at least 0; bytes, or any unit */
};

/* Copies; weights may be NULL (all 1). Fails for NaN, infinite or negative weights, for weights
 * whose sum over a grid could overflow, for an offset of nothing but zeros, and for more than
 * CAUCUS_STENCIL_MOST_OFFSETS. */
int caucus_stencil_init(struct caucus_stencil *stencil, int ndims, int count, const int *offsets,
                        const double *weights);
/* 2 * ndims offsets of distance 1 (5-point, 7-point); weights per axis, or NULL. */
int caucus_stencil_init_star(struct caucus_stencil *stencil, int ndims, const double *axis_weights);
void caucus_stencil_free(struct caucus_stencil *stencil);

static inline const int *caucus_stencil_offset(const struct caucus_stencil *stencil, int k) {
    return stencil->offset + (size_t)k * (size_t)stencil->ndims;
}

/* Whether every offset is a unit step along one axis; then axis_weight[a] (may be NULL) is half the
 * sum of the weights of +a and -a: the undirected weight of an edge of that axis. */
bool caucus_stencil_is_star(const struct caucus_stencil *stencil, double *axis_weight);

/* Whether the stencil is the same on the grid with the axes of mask reversed (bit a: axis a). */
int caucus_stencil_is_mirrored(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                               unsigned mask, bool *same);

/* A stencil of the distinct steps of another on a grid, both directions of an edge put together:
 * with v there is -v, and the weight of each is half the sum of both, so that the weight of all cut
 * pairs is half of jsum. Steps along periodic axes are reduced to 0 .. size-1; steps that lead
 * nowhere or weigh nothing are left out. To be freed as a stencil. */
int caucus_steps_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      struct caucus_stencil *steps);

/* [size][steps.count]: the cell that each step leads to, the cell itself where that is none. */
int caucus_steps_table(const struct caucus_grid *grid, const struct caucus_stencil *steps,
                       int32_t **table);

#endif
