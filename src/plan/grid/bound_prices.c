/* SPDX-License-Identifier: BSD-3-Clause */
/* What cells on a line cost in a mix of inequalities.
 *
 * An open line in c pieces is cut c - 1 times, so each piece costs 1, and a line is worth -1.
 * Pieces of different lengths may cost different amounts, as long as no way to compose a line of
 * length d costs more by that: a line has at most floor(d/b) disjoint pieces of length b, and is
 * covered by no fewer than ceil(d/b) of at most that length. So with a share e of one of these two
 *
 *   price(l) = 1 + e (floor(l/b) - l/d floor(d/b))
 *   price(l) = 1 + e (l/d ceil(d/b) - ceil(l/b))
 *
 * For e <= 1 all prices are positive and no piece gets cheaper by being cut in two. This is what
 * makes shapes dear that are compact but do not fit the grid, such as squares of 2 x 2 in a grid of
 * odd sides. (These are rounding functions of cutting stock: Fekete and Schepers, "New classes of
 * fast lower bounds for bin packing problems", Mathematical Programming, 2001.) */
#include "plan/grid/bound_prices.h"

#include <math.h>

int64_t caucus_bound_prices_room(const struct caucus_bound_case *bound_case) {
    int64_t room = 0, largest = bound_case->size[bound_case->sizes - 1];
    for (int a = 0; a < bound_case->axes; a++)
        if (bound_case->axis[a].length < largest)
            room += bound_case->axis[a].length + 1;
        else
            room += largest + 1;
    return room;
}

static double price_of_piece(double length, double share, int piece, double cells) {
    double b = fabs((double)piece);
    if (piece > 0)
        return 1 + share * (floor(cells / b) - cells / length * floor(length / b));
    return 1 + share * (cells / length * ceil(length / b) - ceil(cells / b));
}

static void set_prices(struct caucus_slice_axis *axis, double share, int piece, int32_t largest,
                       double *price) {
    int32_t last = axis->length - 1 < largest ? axis->length - 1 : largest;
    double filled = axis->met - axis->whole;
    for (int32_t cells = 1; cells <= last; cells++)
        price[cells] = axis->met * price_of_piece(axis->length, share, piece, cells);
    for (int32_t cells = 1; cells <= last; cells++)
        axis->met = fmin(axis->met, price[cells]);
    if (axis->length <= largest)
        price[axis->length] = filled;
    axis->whole = fmax(0, axis->met - filled);
    axis->price = price;
}

/* Sets the axis up without pieces; returns the constant that goes with it. */
static double mix_axis(const struct caucus_bound_axis *axis, bool fillable, double theta,
                       struct caucus_slice_axis *slice) {
    double weight = 2 * axis->weight;
    *slice = (struct caucus_slice_axis){.length = axis->length,
                                        .met = theta * weight,
                                        .may_fill = fillable || weight == 0,
                                        .must_fill = fillable};
    if (!axis->periodic) {
        slice->whole = fillable ? (1 - theta) * weight : 0;
        return (1 - 2 * theta) * weight * axis->lines;
    }
    if (fillable) {
        slice->met = slice->whole = weight;
        return 0;
    }
    return 2 * (1 - theta) * weight * axis->lines;
}

double caucus_bound_prices(const struct caucus_bound_case *bound_case, int fillable,
                           const struct caucus_bound_mix *mix, struct caucus_slices *slices,
                           double *price) {
    int32_t largest = bound_case->size[bound_case->sizes - 1];
    double constant = 0;
    slices->axes = bound_case->axes;
    slices->sizes = bound_case->sizes;
    slices->size = bound_case->size;
    for (int a = 0; a < bound_case->axes; a++) {
        const struct caucus_bound_axis *axis = &bound_case->axis[a];
        constant += mix_axis(axis, fillable >> a & 1, mix->theta[a], &slices->axis[a]);
        if (mix->share[a] > 0 && slices->axis[a].met > 0) {
            set_prices(&slices->axis[a], mix->share[a], mix->piece[a], largest, price);
            price += (axis->length < largest ? axis->length : largest) + 1;
        }
    }
    return constant;
}
