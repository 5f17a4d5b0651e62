/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_GRID_BOUND_PRICES_H
#define CAUCUS_PLAN_GRID_BOUND_PRICES_H

#include "plan/grid/bound_parts.h"
#include "plan/grid/bound_slices.h"

/* What a mix makes of the axes, for nodes that fill lines along no axis outside fillable; returns
 * the constant that goes with it. price has room for bound_prices_room numbers and must outlive
 * slices. */
double caucus_bound_prices(const struct caucus_bound_case *bound_case, int fillable,
                           const struct caucus_bound_mix *mix, struct caucus_slices *slices,
                           double *price);
int64_t caucus_bound_prices_room(const struct caucus_bound_case *bound_case);

#endif
