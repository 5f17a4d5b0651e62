/* SPDX-License-Identifier: BSD-3-Clause */
/* The least that sets of cells can cost, whatever their shape. */
#ifndef CAUCUS_PLAN_GRID_BOUND_SLICES_H
#define CAUCUS_PLAN_GRID_BOUND_SLICES_H

#include "plan/grid/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of cells pays for each line along the axis, by how many cells it has on it. */
struct caucus_slice_axis {
    int32_t length;
    double met;          /* at least, for a line that it does not fill */
    double whole;        /* how much less for one that it fills: 0 <= whole <= met */
    const double *price; /* [cells], up to min(length, largest size); NULL: just met and whole */
    bool may_fill;       /* whether a set may fill a line at all */
    bool must_fill;      /* whether a set of filling[] below fills one */
};

struct caucus_slices {
    int axes; /* 1 to CAUCUS_GRID_MAX_DIMS */
    struct caucus_slice_axis axis[CAUCUS_GRID_MAX_DIMS];
    int32_t sizes;       /* how many sizes are asked for */
    const int32_t *size; /* ascending, different, at least 1, at most the product of lengths */
};

/* cost[j]: what a set of size[j] cells pays at least; HUGE_VAL where no set has that size without
 * filling lines that it may not fill. filling[j]: the same for a set that fills what it must. Adds
 * the steps taken to *work. O(2^axes axes largest^2)
 * time; where that is too much, a lower bound of both in closed form. */
int caucus_slices_cost(const struct caucus_slices *slices, double *cost, double *filling,
                       double *work);

#endif
