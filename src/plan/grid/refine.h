/* SPDX-License-Identifier: BSD-3-Clause */
/* Improves a mapping by annealing with soft node sizes and an exact repair. */
#ifndef CAUCUS_PLAN_GRID_REFINE_H
#define CAUCUS_PLAN_GRID_REFINE_H

#include "plan/grid/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Anneals node_of_cell for so many sweeps from a starting temperature (in units of the mean
 * half-weight of the stencil) and repairs the sizes. The outcome may be worse than the start: the
 * caller compares. Deterministic for a seed. O(size) memory. */
int caucus_grid_anneal(const struct caucus_grid_problem *problem, double temperature, int sweeps,
                       uint64_t seed, int32_t *node_of_cell);

/* The sweeps worth spending on a problem of this size: 0 where refinement does not pay. */
int caucus_grid_anneal_sweeps(const struct caucus_grid_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
