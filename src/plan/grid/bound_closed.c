/* SPDX-License-Identifier: BSD-3-Clause */
/* What a set of s cells costs at least, in closed form, for nodes too large for the tables.
 *
 * Loomis and Whitney ("An inequality related to the isoperimetric inequality", Bulletin of the AMS,
 * 1949): the product of the numbers of lines met along the k axes is at least s^(k-1). The least of
 * the weighted sum under that, with at least s / length lines along each axis, is at equal products
 * of weight and lines, except for axes where that would be too few. Axes without cost meet all
 * their lines. O(k^2) time. */
#include "plan/grid/bound_slices.h"

#include <math.h>

/* The lines of axis a, which are at most those of the other axes' box. */
static double most_lines(const struct caucus_slices *slices, int a, double s) {
    double lines = 1;
    for (int b = 0; b < slices->axes; b++)
        lines *= b == a ? 1 : slices->axis[b].length;
    return fmin(lines, s);
}

/* Whether the cost is a number of lines times one weight. */
static bool whole_lines(const struct caucus_slices *slices) {
    for (int a = 0; a < slices->axes; a++)
        if (slices->axis[a].whole != 0 || slices->axis[a].met != slices->axis[0].met)
            return false;
    return slices->axis[0].met > 0;
}

double caucus_slices_closed_form(const struct caucus_slices *slices, int32_t size) {
    double s = size, cost = 0;
    double product = (slices->axes - 1) * log(s); /* logarithm of what is left for the free axes */
    bool is_free[CAUCUS_GRID_MAX_DIMS];
    int count = 0;
    for (int a = 0; a < slices->axes; a++) {
        is_free[a] = slices->axis[a].met > 0 && slices->axis[a].whole == 0;
        count += is_free[a];
        product -= is_free[a] ? 0 : log(most_lines(slices, a, s));
    }
    for (bool changed = true; changed && count > 0;) {
        changed = false;
        double level = product;
        for (int a = 0; a < slices->axes; a++)
            level += is_free[a] ? log(slices->axis[a].met) : 0;
        level = exp(level / count); /* met * lines of every free axis */
        for (int a = 0; a < slices->axes && !changed; a++) {
            double fewest = ceil(s / slices->axis[a].length);
            if (!is_free[a] || level >= slices->axis[a].met * fewest)
                continue;
            changed = true;
            is_free[a] = false;
            count--;
            product -= log(fewest);
            cost += slices->axis[a].met * fewest;
        }
        if (!changed)
            cost += count * level;
    }
    cost *= 1 - 1e-12;
    return whole_lines(slices) ? slices->axis[0].met * ceil(cost / slices->axis[0].met) : cost;
}
