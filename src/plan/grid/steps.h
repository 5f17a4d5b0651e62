/* SPDX-License-Identifier: BSD-3-Clause */
/* Who exchanges how much with whom, as a table: for searches that look at the same cells again and
 * again. */
#ifndef CAUCUS_PLAN_GRID_STEPS_H
#define CAUCUS_PLAN_GRID_STEPS_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The distinct steps of a stencil on a grid, both directions of an edge put together: with v there
 * is -v, and the weight of each is half the sum of both, so that the weight of all cut pairs is
 * half of jsum. Steps along periodic axes are reduced to 0 .. size-1; steps that lead nowhere or
 * weigh nothing are left out. */
struct caucus_steps {
    int count;
    int *offset;    /* [count][ndims] */
    double *weight; /* [count] */
};

int caucus_steps_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      struct caucus_steps *steps);
void caucus_steps_free(struct caucus_steps *steps);

/* [size][steps.count]: the cell that each step leads to, the cell itself where that is none. */
int caucus_steps_table(const struct caucus_grid *grid, const struct caucus_steps *steps,
                       int32_t **table);

#ifdef __cplusplus
}
#endif

#endif
