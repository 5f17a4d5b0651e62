/* SPDX-License-Identifier: BSD-3-Clause */
/* The bound for one way to mix the two inequalities of every axis, and the search for the best way.
 * Every mix gives a bound; which is the best depends on the shape of the grid. */
#include "plan/grid/bound_parts.h"
#include "plan/grid/bound_prices.h"
#include "plan/grid/bound_slices.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 512 };

static const double most_work_of_tables = 1e8;

bool caucus_bound_mix_serves(const struct caucus_bound_case *bound_case, int fillable,
                             const struct caucus_bound_mix *mix) {
    for (int a = 0; a < bound_case->axes; a++)
        if (fillable >> a & 1 && mix->theta[a] < (bound_case->axis[a].periodic ? 1 : .5))
            return false; /* less would be paid for a line met than is given back for a filled one
                           */
    return true;
}

static double work_of_prices(const struct caucus_bound_case *bound_case,
                             const struct caucus_bound_mix *mix) {
    double work = 10 * bound_case->sizes;
    for (int a = 0; a < bound_case->axes; a++) {
        double cells = fmin(bound_case->axis[a].length, bound_case->size[bound_case->sizes - 1]);
        work += mix->share[a] > 0 ? 20 * cells : 0;
    }
    return work;
}

int caucus_bound_with(struct caucus_bound_case *bound_case, int fillable,
                      const struct caucus_bound_mix *mix, double *cost, double *filling,
                      double *constant) {
    double *price = caucus_array(caucus_bound_prices_room(bound_case), sizeof *price);
    if (!price)
        return CAUCUS_NO_MEMORY;
    struct caucus_slices slices;
    *constant = caucus_bound_prices(bound_case, fillable, mix, &slices, price);
    double work = work_of_prices(bound_case, mix);
    int status = CAUCUS_OK;
    if (caucus_slices_work(&slices) <= most_work_of_tables)
        status = caucus_slices_cost(&slices, cost, filling, &work);
    else
        for (int32_t j = 0; j < bound_case->sizes; j++)
            cost[j] = filling[j] = caucus_slices_closed_form(&slices, bound_case->size[j]);
    free(price);
    bound_case->work -= work;
    bound_case->dearest = fmax(bound_case->dearest, work);
    return status;
}

double caucus_bound_unfilled_lines(const struct caucus_bound_case *bound_case, int fillable) {
    double cost = 0;
    for (int a = 0; a < bound_case->axes; a++) {
        const struct caucus_bound_axis *axis = &bound_case->axis[a];
        if (!(fillable >> a & 1))
            cost += (axis->periodic ? 4 : 2) * axis->weight * axis->lines;
    }
    return cost;
}

static int evaluate_mix(struct caucus_bound_case *bound_case, int fillable,
                        struct caucus_bound_mix *mix, double *scratch) {
    double constant, *cost = scratch, *filling = scratch + bound_case->sizes;
    int status = caucus_bound_with(bound_case, fillable, mix, cost, filling, &constant);
    mix->value = constant;
    for (int32_t j = 0; j < bound_case->sizes; j++)
        mix->value += bound_case->count[j] * cost[j];
    return status;
}

struct climb {
    struct caucus_bound_case *bound_case;
    int fillable;
    struct caucus_bound_mix best;
    bool better;
    double *scratch;
};

static int try_mix(struct climb *climb, struct caucus_bound_mix mix) {
    if (climb->bound_case->work <= 0 ||
        !caucus_bound_mix_serves(climb->bound_case, climb->fillable, &mix))
        return CAUCUS_OK;
    int status = evaluate_mix(climb->bound_case, climb->fillable, &mix, climb->scratch);
    if (!status && mix.value > climb->best.value * (1 + 1e-12)) {
        climb->best = mix;
        climb->better = true;
    }
    return status;
}

static int climb_theta(struct climb *climb, int a) {
    static const double steps[] = {1, .9, .8, .7, .6, .5, .25, 0};
    struct caucus_bound_mix mix = climb->best;
    int status = CAUCUS_OK;
    for (int step = 0; step < (int)(sizeof steps / sizeof *steps) && !status; step++) {
        mix.theta[a] = steps[step];
        if (steps[step] != climb->best.theta[a])
            status = try_mix(climb, mix);
    }
    return status;
}

/* Pieces of lengths that a node may well have along an axis. */
static int climb_pieces(struct climb *climb, int a) {
    static const double shares[] = {.05, .1, .15, .25, 1. / 3, .5, 2. / 3, .8, 1};
    const struct caucus_bound_case *bound_case = climb->bound_case;
    double largest = bound_case->size[bound_case->sizes - 1];
    int side = (int)pow(largest, 1. / bound_case->axes), length = bound_case->axis[a].length;
    if (length > LONGEST_LINE || bound_case->axes < 2)
        return CAUCUS_OK;
    struct caucus_bound_mix mix = climb->best;
    int status = CAUCUS_OK;
    for (int b = 2; b < length && b <= 4 * side + 1; b++)
        for (int kind = -1; kind <= 1 && length % b; kind += 2)
            for (int share = 0; share < (int)(sizeof shares / sizeof *shares) && !status; share++) {
                mix.piece[a] = kind * b;
                mix.share[a] = shares[share];
                status = try_mix(climb, mix);
            }
    return status;
}

/* Where to start: only lines met, or both inequalities alike for lines that may be filled. */
static int start_climb(struct climb *climb) {
    struct caucus_bound_mix half;
    memset(&half, 0, sizeof half);
    for (int a = 0; a < climb->bound_case->axes; a++)
        half.theta[a] = 1;
    climb->best = half;
    int status = evaluate_mix(climb->bound_case, climb->fillable, &climb->best, climb->scratch);
    for (int a = 0; a < climb->bound_case->axes; a++)
        if (climb->fillable >> a & 1 && !climb->bound_case->axis[a].periodic)
            half.theta[a] = .5;
    return status || !climb->fillable ? status : try_mix(climb, half);
}

int caucus_bound_climb(struct caucus_bound_case *bound_case, int fillable, bool pieces,
                       struct caucus_bound_mix *best) {
    struct climb climb = {.bound_case = bound_case, .fillable = fillable, .better = true};
    climb.scratch = caucus_array(2 * (int64_t)bound_case->sizes, sizeof *climb.scratch);
    if (!climb.scratch)
        return CAUCUS_NO_MEMORY;
    int status = start_climb(&climb);
    for (int round = 0; round < 4 && climb.better && isfinite(climb.best.value); round++) {
        climb.better = false;
        for (int a = 0; a < bound_case->axes && !status; a++)
            status = climb_theta(&climb, a);
        for (int a = 0; a < bound_case->axes && pieces && !status; a++)
            status = climb_pieces(&climb, a);
    }
    free(climb.scratch);
    *best = climb.best;
    return status;
}
