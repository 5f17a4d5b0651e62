/* SPDX-License-Identifier: BSD-3-Clause */
/* What no mapping can beat. */
#ifndef CAUCUS_PLAN_GRID_BOUND_H
#define CAUCUS_PLAN_GRID_BOUND_H

#include "plan/grid/problem.h"

/* A lower bound of jsum over all mappings. For a stencil that is no star, the bound of the unit
 * steps that it has (0 where it has none): valid, but loose. */
int caucus_grid_bound(const struct caucus_grid_problem *problem, double *bound);

#endif
