/* SPDX-License-Identifier: BSD-3-Clause */
/* What a set of cells costs at least, by cutting it into slices.
 *
 * Let q(u) be the least cost of u cells in a slice across axis a, and d the length of a. A set
 * whose slices have u_1, u_2, ... cells meets p >= max u lines along a, fills at most min u of
 * them, and pays in its slices what they pay each.
 *
 * - If it fills none, it pays at least p h(s/p) + g_p(s). Here h is the lower convex hull of the
 *   price of a line by its cells, and g_p(s) the least sum of q over slices of at most p cells.
 * - If it fills some, it pays at least met j - whole i + d chord(s/d), where every slice has i to j
 *   cells and the chord goes through (i, q(i)) and (j, q(j)). The least over 1 <= i <= s/d <= j
 *   covers the convex hull of q.
 *
 * The cost is the larger one over all axes a, and recursively over all sets of axes. g is a
 * knapsack of slices, one size more at a time: g_p(s) = min(g_{p-1}(s), q(p) + g_p(s - p)).
 *
 * Cost: O(largest^2) for each pair of a set of axes and an axis in it, axes that are alike counted
 * once; in space O(largest) for each set. */
#include "plan/grid/bound_slices.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_work = 4e7; /* then cost_filled is content with less */
static const double most_work_of_tables = 1e8;

enum { SETS = 1 << CAUCUS_GRID_MAX_DIMS };

struct tables {
    const struct caucus_slices *slices;
    double *memory;
    double *table[SETS];   /* [set of axes][size]: least cost; NULL for sets that are not needed */
    int32_t largest[SETS]; /* the last size of a table */
    double *knapsack, *unfilled;
    int32_t *corner; /* of the hull of the prices of one axis */
    double work;
};

/* fmin and fmax have to care for NaN and are no single instruction. */
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}
static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static bool alike(const struct caucus_slice_axis *a, const struct caucus_slice_axis *b) {
    return a->length == b->length && a->met == b->met && a->whole == b->whole &&
           a->may_fill == b->may_fill;
}

/* Of sets that differ only in axes that are alike, one stands for all: it has the first ones. */
static bool stands_for_all(const struct caucus_slices *slices, int set) {
    for (int b = 0; b < slices->axes; b++)
        for (int a = 0; a < b && set >> b & 1; a++)
            if (!(set >> a & 1) && alike(&slices->axis[a], &slices->axis[b]))
                return false;
    return true;
}

/* Axis a of the set is the last of those alike: without it the set still stands for all. */
static bool is_last_of_alike(const struct caucus_slices *slices, int set, int a) {
    for (int b = a + 1; b < slices->axes; b++)
        if (set >> b & 1 && alike(&slices->axis[a], &slices->axis[b]))
            return false;
    return set >> a & 1;
}

static int32_t largest_of(const struct caucus_slices *slices, int set) {
    int64_t cells = 1, largest = slices->size[slices->sizes - 1];
    for (int a = 0; a < slices->axes && cells < largest; a++)
        cells *= set >> a & 1 ? slices->axis[a].length : 1;
    return (int32_t)(cells < largest ? cells : largest);
}

/* Wider slices than this meet too many lines, unless weights differ much. */
static double useful_width(double axes, double largest) {
    return 1.5 * axes * pow(largest, (axes - 1) / axes);
}

/* Elementary steps that the tables take at most. */
static double work_of_tables(const struct caucus_slices *slices) {
    double work = 0;
    for (int set = 1; set < 1 << slices->axes; set++) {
        if (!stands_for_all(slices, set))
            continue;
        double largest = largest_of(slices, set), axes = 0;
        for (int a = 0; a < slices->axes; a++)
            axes += set >> a & 1;
        double widest = useful_width(axes, largest);
        for (int a = 0; a < slices->axes; a++)
            if (is_last_of_alike(slices, set, a))
                work += 3 * largest * smaller(widest, largest_of(slices, set & ~(1 << a)));
    }
    return work;
}

static double line_price(const struct caucus_slice_axis *axis, int32_t cells) {
    if (cells == axis->length && !axis->may_fill)
        return HUGE_VAL;
    if (axis->price)
        return axis->price[cells];
    return cells < axis->length ? axis->met : axis->met - axis->whole;
}

/* The corners of the lower convex hull of the prices for 1 to last cells; returns how many. */
static int32_t find_hull(const struct caucus_slice_axis *axis, int32_t last, int32_t *corner) {
    int32_t count = 0;
    for (int32_t cells = 1; cells <= last; cells++) {
        double price = line_price(axis, cells);
        if (!axis->price && cells > 1 && cells < last)
            continue; /* all alike */
        for (; count > 1; count--) {
            int32_t x = corner[count - 1], before = corner[count - 2];
            double slope = (line_price(axis, x) - line_price(axis, before)) / (x - before);
            if (price >= line_price(axis, x) + slope * (cells - x))
                break;
        }
        corner[count++] = cells;
    }
    return count;
}

/* unfilled[s] = the lesser of itself and p h(s / p) + g_p(s), for all s that p lines can hold. */
static void try_lines(struct tables *tables, const struct caucus_slice_axis *axis, int32_t corners,
                      int64_t p, int32_t largest) {
    const double *g = tables->knapsack;
    double *unfilled = tables->unfilled;
    const int32_t *corner = tables->corner;
    if (p <= largest)
        unfilled[p] = smaller(unfilled[p], (double)p * line_price(axis, 1) + g[p]);
    for (int32_t k = 0; k + 1 < corners && p * corner[k] < largest; k++) {
        double from = line_price(axis, corner[k]), to = line_price(axis, corner[k + 1]);
        double slope = (to - from) / (corner[k + 1] - corner[k]);
        int64_t end = p * corner[k + 1] < largest ? p * corner[k + 1] : largest;
        double lines = (double)p * (from - slope * corner[k]);
        for (int64_t s = p * corner[k] + 1; s <= end; s++)
            unfilled[s] = smaller(unfilled[s], lines + slope * (double)s + g[s]);
    }
}

/* The knapsack: unfilled[s] for all s up to largest, where no line along the axis is filled, or
 * where filling gives nothing back. */
static void cost_unfilled(struct tables *tables, const struct caucus_slice_axis *axis,
                          const double *q, int32_t widest, int32_t largest) {
    double *g = tables->knapsack, *unfilled = tables->unfilled;
    int32_t height = axis->may_fill && axis->whole == 0 ? axis->length : axis->length - 1;
    int32_t corners = find_hull(axis, height < largest ? height : largest, tables->corner);
    for (int32_t s = 0; s <= largest; s++)
        g[s] = unfilled[s] = s ? HUGE_VAL : 0;
    for (int32_t width = 1; width <= widest; width++) {
        for (int32_t s = width; s <= largest; s++)
            g[s] = smaller(g[s], q[width] + g[s - width]);
        try_lines(tables, axis, corners, width, largest);
        tables->work += 3 * (largest - width) + 10 * corners;
        if (width % 16)
            continue;
        double dearest = 0;
        for (int32_t s = 1; s <= largest; s++)
            dearest = larger(dearest, unfilled[s]);
        if (axis->met * (width + 1) >= dearest)
            break; /* wider slices meet too many lines */
    }
}

/* The least over i and j of the cost of a set that fills a line along the axis. */
static double cost_filled(struct tables *tables, const struct caucus_slice_axis *axis,
                          const double *q, int32_t widest, int32_t s) {
    double d = axis->length, mean = s / d, least = HUGE_VAL;
    int32_t low = s / axis->length, high = low + (s % axis->length != 0);
    if (tables->work > most_work)
        return (axis->met - axis->whole) * mean; /* j >= s/d >= i */
    if (low == high && low <= widest)
        least = (axis->met - axis->whole) * low + d * q[low];
    for (int32_t i = low == high ? low - 1 : low; i >= 1; i--) {
        int32_t last = low + 1;
        for (int32_t j = low + 1; j <= widest; j++) {
            double lines = axis->met * j - axis->whole * i;
            if (lines >= least)
                break;
            last = j;
            double share = (mean - i) / (j - i);
            least = smaller(least, lines + d * ((1 - share) * q[i] + share * q[j]));
        }
        tables->work += 8 * (last - low);
    }
    return least;
}

/* What cutting along one axis says of s cells; cost_unfilled has been called. Without q the axis is
 * the only one. */
static double cost_along(struct tables *tables, const struct caucus_slice_axis *axis,
                         const double *q, int32_t widest, int32_t s, bool must_fill) {
    if (!q)
        return must_fill && s < axis->length ? HUGE_VAL : line_price(axis, s);
    double unfilled = tables->unfilled[s];
    if (!axis->may_fill || (axis->whole == 0 && !must_fill))
        return unfilled;
    double filled = s < axis->length ? HUGE_VAL : cost_filled(tables, axis, q, widest, s);
    if (must_fill)
        return axis->whole == 0 ? larger(unfilled, filled) : filled;
    return smaller(unfilled, filled);
}

/* The costs of size[j] cells, or of 1, 2, ... without size; cost and filling, which may be NULL,
 * are all zeros on entry. */
static void cost_of_set(struct tables *tables, int set, int32_t sizes, const int32_t *size,
                        double *cost, double *filling) {
    for (int a = 0; a < tables->slices->axes; a++) {
        if (!is_last_of_alike(tables->slices, set, a))
            continue;
        const struct caucus_slice_axis *axis = &tables->slices->axis[a];
        int slice = set & ~(1 << a);
        const double *q = slice ? tables->table[slice] : NULL;
        int32_t widest = tables->largest[slice];
        if (q)
            cost_unfilled(tables, axis, q, widest, tables->largest[set]);
        for (int32_t j = 0; j < sizes; j++) {
            int32_t s = size ? size[j] : j + 1;
            cost[j] = larger(cost[j], cost_along(tables, axis, q, widest, s, false));
            if (filling)
                filling[j] =
                    larger(filling[j], cost_along(tables, axis, q, widest, s, axis->must_fill));
        }
    }
}

/* What a set of s cells costs at least, in closed form, for nodes too large for the tables.
 *
 * Loomis and Whitney ("An inequality related to the isoperimetric inequality", Bulletin of the AMS,
 * 1949): the product of the numbers of lines met along the k axes is at least s^(k-1). The least of
 * the weighted sum under that, with at least s / length lines along each axis, is at equal products
 * of weight and lines, except for axes where that would be too few. Axes without cost meet all
 * their lines. O(k^2) time. */

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

/* A lower bound of the cost: takes an axis as free of cost where whole is not 0. */
static double closed_form(const struct caucus_slices *slices, int32_t size) {
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

static int make_tables(struct tables *tables, int all) {
    const struct caucus_slices *slices = tables->slices;
    int64_t entries = 0, at = 0;
    for (int set = 0; set <= all; set++) {
        tables->largest[set] = largest_of(slices, set);
        entries += set == all || stands_for_all(slices, set) ? tables->largest[set] + 1 : 0;
    }
    entries += 3 * ((int64_t)tables->largest[all] + 1);
    tables->memory = caucus_array(entries, sizeof *tables->memory);
    if (!tables->memory)
        return CAUCUS_NO_MEMORY;
    for (int set = 0; set <= all; set++) {
        bool needed = set == all || stands_for_all(slices, set);
        tables->table[set] = needed ? tables->memory + at : NULL;
        at += needed ? tables->largest[set] + 1 : 0;
    }
    tables->knapsack = tables->memory + at;
    tables->unfilled = tables->knapsack + tables->largest[all] + 1;
    tables->corner = (int32_t *)(tables->unfilled + tables->largest[all] + 1);
    return CAUCUS_OK;
}

int caucus_slices_cost(const struct caucus_slices *slices, double *cost, double *filling,
                       double *work) {
    if (work_of_tables(slices) > most_work_of_tables) {
        for (int32_t j = 0; j < slices->sizes; j++)
            cost[j] = filling[j] = closed_form(slices, slices->size[j]);
        return CAUCUS_OK;
    }
    struct tables tables = {.slices = slices};
    int all = (1 << slices->axes) - 1;
    tables.work = 20 * all;
    if (make_tables(&tables, all))
        return CAUCUS_NO_MEMORY;
    for (int set = 1; set < all; set++)
        if (tables.table[set])
            cost_of_set(&tables, set, tables.largest[set], NULL, tables.table[set] + 1, NULL);
    for (int32_t j = 0; j < slices->sizes; j++)
        cost[j] = filling[j] = 0;
    cost_of_set(&tables, all, slices->sizes, slices->size, cost, filling);
    free(tables.memory);
    *work += tables.work;
    return CAUCUS_OK;
}
