/* SPDX-License-Identifier: BSD-3-Clause */
/* The bound where it is known which nodes fill lines along which axes, and the least of that over
 * all such ways. Knowing it helps much where nodes are few and large: a mix of the inequalities
 * that is good for nodes which fill lines is bad for the others, and lines that nobody fills are
 * all cut.
 *
 * Branch and bound over the numbers of nodes of each size and kind (the set of axes along which a
 * node fills lines), with all mixes at once. Where it takes too many steps, what is left unexplored
 * counts with the bound of its beginning, so that the outcome stays a bound. */
#include "plan/grid/bound_parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MIXES = 128, MOST_KINDS = 64, MOST_SIZES = 64 };

struct search {
    struct caucus_bound_case *bound_case;
    int mixes, kinds;
    struct caucus_bound_mix mix[MOST_MIXES];
    int kind[MOST_KINDS]; /* sets of axes */
    double *cost;         /* [size][kind][mix]; -HUGE_VAL where the mix does not serve */
    double *from;         /* [size][kind][mix]: the least cost of this kind or a later one */
    double *rest; /* [size][mix]: of all nodes of this size and later ones, constant included */
    double least;
    double steps, most_steps;
};

static size_t at(const struct search *search, int32_t size, int kind) {
    return ((size_t)size * (size_t)search->kinds + (size_t)kind) * (size_t)search->mixes;
}

/* Lines along different axes have at most one cell in common. */
static bool fits(const struct caucus_bound_case *bound_case, int kind, int32_t size) {
    int64_t cells = 1;
    for (int a = 0; a < bound_case->axes; a++)
        cells += kind >> a & 1 ? bound_case->axis[a].length - 1 : 0;
    return cells <= size;
}

/* In a plane every row crosses every column: no two nodes can fill one of each. */
static bool crosses(const struct caucus_bound_case *bound_case, int filled, int kind,
                    int32_t nodes) {
    return bound_case->axes == 2 && kind && (filled | kind) == 3 && !(filled == 0 && nodes == 1);
}

static void add_mix(struct search *search, const struct caucus_bound_mix *mix) {
    for (int t = 0; t < search->mixes; t++)
        if (memcmp(&search->mix[t], mix, offsetof(struct caucus_bound_mix, value)) == 0)
            return;
    if (search->mixes < MOST_MIXES)
        search->mix[search->mixes++] = *mix;
}

/* All mixes of levels values of theta on the open axes that may be filled. */
static void add_mixes(struct search *search, int levels) {
    const struct caucus_bound_case *bound_case = search->bound_case;
    int mixes = 1;
    for (int a = 0; a < bound_case->axes; a++)
        mixes *= bound_case->fillable >> a & 1 && !bound_case->axis[a].periodic ? levels : 1;
    for (int code = 0; code < mixes; code++) {
        struct caucus_bound_mix mix;
        memset(&mix, 0, sizeof mix);
        int digits = code;
        for (int a = 0; a < bound_case->axes; a++) {
            mix.theta[a] = 1;
            if (!(bound_case->fillable >> a & 1) || bound_case->axis[a].periodic)
                continue;
            mix.theta[a] = 1 - .5 * (digits % levels) / (levels - 1);
            digits /= levels;
        }
        add_mix(search, &mix);
    }
}

static int find_kinds(struct search *search) {
    const struct caucus_bound_case *bound_case = search->bound_case;
    search->kinds = 0;
    for (int kind = 0; kind <= bound_case->fillable; kind++)
        if ((kind & ~bound_case->fillable) == 0 &&
            fits(bound_case, kind, bound_case->size[bound_case->sizes - 1])) {
            if (search->kinds == MOST_KINDS)
                return 0;
            search->kind[search->kinds++] = kind;
        }
    return search->kinds;
}

static int cost_of_kind(struct search *search, int kind, int t, double *scratch, double *constant) {
    struct caucus_bound_case *bound_case = search->bound_case;
    int fillable = search->kind[kind];
    bool serves = caucus_bound_mix_serves(bound_case, fillable, &search->mix[t]);
    double *cost = scratch, *filling = scratch + bound_case->sizes;
    if (serves && caucus_bound_with(bound_case, fillable, &search->mix[t], cost, filling, constant))
        return CAUCUS_NO_MEMORY;
    for (int32_t j = 0; j < bound_case->sizes; j++) {
        double of_kind = fillable ? filling[j] : cost[j];
        if (!fits(bound_case, fillable, bound_case->size[j]))
            of_kind = HUGE_VAL;
        search->cost[at(search, j, kind) + (size_t)t] = serves ? of_kind : -HUGE_VAL;
    }
    return CAUCUS_OK;
}

static void sum_rest(struct search *search, const double *constant) {
    const struct caucus_bound_case *bound_case = search->bound_case;
    size_t mixes = (size_t)search->mixes;
    for (size_t t = 0; t < mixes; t++)
        search->rest[(size_t)bound_case->sizes * mixes + t] = constant[t];
    for (int32_t j = bound_case->sizes - 1; j >= 0; j--)
        for (size_t t = 0; t < mixes; t++) {
            double least = HUGE_VAL;
            for (int kind = search->kinds - 1; kind >= 0; kind--) {
                least = fmin(least, search->cost[at(search, j, kind) + t]);
                search->from[at(search, j, kind) + t] = least;
            }
            search->rest[(size_t)j * mixes + t] =
                search->rest[((size_t)j + 1) * mixes + t] + bound_case->count[j] * least;
        }
}

static int make_costs(struct search *search) {
    struct caucus_bound_case *bound_case = search->bound_case;
    double constant[MOST_MIXES];
    double *scratch = caucus_array(2 * (int64_t)bound_case->sizes, sizeof *scratch);
    int status = scratch ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int t = 0; t < search->mixes; t++) /* the kind 0, which every mix serves, comes last */
        for (int kind = search->kinds - 1; kind >= 0 && !status; kind--)
            status = cost_of_kind(search, kind, t, scratch, &constant[t]);
    if (!status)
        sum_rest(search, constant);
    free(scratch);
    return status;
}

static double largest_sum(const struct search *search, const double *sum, double nodes,
                          const double *each, const double *rest) {
    double largest = -HUGE_VAL;
    for (int t = 0; t < search->mixes; t++) {
        double total = sum[t] + rest[t] + (nodes > 0 ? nodes * each[t] : 0);
        largest = total > largest ? total : largest;
    }
    return largest;
}

/* Deals out the nodes of size j that are left to kinds from this one on. sum: what all nodes dealt
 * with so far cost; filled: along which axes they fill lines. */
static void deal(struct search *search, int32_t j, int kind, int32_t left, int filled,
                 const double *sum) {
    const struct caucus_bound_case *bound_case = search->bound_case;
    while (left == 0 && j < bound_case->sizes) {
        kind = 0;
        left = ++j < bound_case->sizes ? bound_case->count[j] : 0;
    }
    size_t mixes = (size_t)search->mixes;
    if (j == bound_case->sizes) {
        double value = largest_sum(search, sum, 0, sum, search->rest + (size_t)j * mixes);
        search->least =
            fmin(search->least, fmax(value, caucus_bound_unfilled_lines(bound_case, filled)));
        return;
    }
    if (kind == search->kinds)
        return;
    double value = largest_sum(search, sum, left, search->from + at(search, j, kind),
                               search->rest + ((size_t)j + 1) * mixes);
    if (value >= search->least)
        return;
    if (search->steps > search->most_steps) {
        search->least = value;
        return;
    }
    const double *each = search->cost + at(search, j, kind);
    double next[MOST_MIXES];
    for (int32_t nodes = left; nodes >= 0; nodes--) {
        search->steps += 2 * search->mixes;
        if (nodes && (crosses(bound_case, filled, search->kind[kind], nodes) ||
                      !fits(bound_case, search->kind[kind], bound_case->size[j])))
            continue;
        for (size_t t = 0; t < mixes; t++)
            next[t] = sum[t] + (nodes ? nodes * each[t] : 0);
        deal(search, j, kind + 1, left - nodes, nodes ? filled | search->kind[kind] : filled, next);
    }
}

static int search_all(struct search *search, double *bound) {
    int64_t sizes = search->bound_case->sizes, row = (int64_t)search->kinds * search->mixes;
    search->cost = caucus_array(2 * sizes * row, sizeof *search->cost);
    search->rest = caucus_array((sizes + 1) * search->mixes, sizeof *search->rest);
    int status = search->cost && search->rest ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    search->from = search->cost + sizes * row;
    if (!status)
        status = make_costs(search);
    if (!status) {
        const double nothing[MOST_MIXES] = {0};
        search->least = HUGE_VAL;
        deal(search, 0, 0, search->bound_case->count[0], 0, nothing);
        *bound = isfinite(search->least) ? search->least : 0;
    }
    free(search->cost);
    free(search->rest);
    return status;
}

int caucus_bound_by_nodes(struct caucus_bound_case *bound_case,
                          const struct caucus_bound_mix *mixes, int count, double *bound) {
    struct search search;
    search.bound_case = bound_case;
    search.steps = 0;
    search.most_steps = bound_case->work / 4;
    *bound = 0;
    if (!find_kinds(&search) || bound_case->sizes > MOST_SIZES)
        return CAUCUS_OK;
    for (int levels = 3; levels >= 1; levels--) {
        search.mixes = 0;
        for (int t = 0; t < count; t++)
            add_mix(&search, &mixes[t]);
        if (levels > 1)
            add_mixes(&search, levels);
        if (search.kinds * (double)search.mixes * bound_case->dearest <= bound_case->work)
            return search_all(&search, bound);
    }
    return CAUCUS_OK;
}
