/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom: each cell sends weight[k] to the cell at offset k. A neighbour that is the
 * cell itself (a periodic axis of 1) never counts; one reached by two offsets (a periodic axis of
 * 2) counts twice, because two messages go there. */
#ifndef CAUCUS_PLAN_GRID_STENCIL_H
#define CAUCUS_PLAN_GRID_STENCIL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/* 3^ndims - 1 offsets (9-point, 27-point), all of weight 1. */
int caucus_stencil_init_box(struct caucus_stencil *stencil, int ndims);
/* "star", "box", or a file: one offset per line, ndims numbers, then an optional weight. */
int caucus_stencil_parse(struct caucus_stencil *stencil, int ndims, const char *text);
void caucus_stencil_free(struct caucus_stencil *stencil);

/* Whether every offset is a unit step along one axis; then axis_weight[a] (may be NULL) is half the
 * sum of the weights of +a and -a: the undirected weight of an edge of that axis. */
bool caucus_stencil_is_star(const struct caucus_stencil *stencil, double *axis_weight);

#ifdef __cplusplus
}
#endif

#endif
