/* SPDX-License-Identifier: BSD-3-Clause */
/* A lower bound of the weight of the edges between nodes.
 *
 * Along an axis of weight w with L lines, let p be how many lines a node meets and f how many it
 * fills. A closed line of several nodes is cut at least once for each, so the directed edges of a
 * periodic axis weigh at least 2 w sum(p - f). An open line of c nodes is cut at least c - 1 times,
 * and at least once if nobody fills it: 2 w (sum p - L) and 2 w (L - sum f), and every mix of the
 * two with shares theta and 1 - theta. What p and f a set of cells must have at least is worked out
 * by bound_slices.c (isoperimetry in a box; compare Bollobas and Leader, "Edge-isoperimetric
 * inequalities in the grid", Combinatorica, 1991), in closed form for huge nodes by bound_closed.c.
 * bound_mix.c finds the best mixes, bound_prices.c adds what follows from the lengths of lines, and
 * bound_nodes.c cares for who fills lines at all. A periodic axis of 2 has two edges between its
 * cells, and is cut twice or not at all: the same inequality.
 *
 * Cost: O(sizes of nodes squared) for a mix; in all at most about 2 10^8 steps, usually 10^6. */
#include "plan/grid/bound.h"
#include "plan/grid/bound_parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double most_work = 4e7, most_work_of_many = 5e6; /* from so many cells on: */
static const int64_t many_cells = 100000;

static int ascending(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static int gather_sizes(const struct caucus_nodes *nodes, struct caucus_bound_case *bound_case) {
    int32_t different = nodes->equal ? 1 : nodes->count;
    bound_case->size = caucus_array(different, sizeof *bound_case->size);
    bound_case->count = caucus_array(different, sizeof *bound_case->count);
    if (!bound_case->size || !bound_case->count)
        return CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < different; node++)
        bound_case->size[node] = caucus_nodes_size(nodes, node);
    qsort(bound_case->size, (size_t)different, sizeof *bound_case->size, ascending);
    bound_case->sizes = 0;
    for (int32_t node = 0; node < different; node++) {
        if (node == 0 || bound_case->size[node] != bound_case->size[bound_case->sizes - 1])
            bound_case->size[bound_case->sizes++] = bound_case->size[node];
        bound_case->count[bound_case->sizes - 1]++;
    }
    if (nodes->equal)
        bound_case->count[0] = nodes->count;
    return CAUCUS_OK;
}

static void gather_axes(const struct caucus_grid *grid, const double *weight,
                        struct caucus_bound_case *bound_case) {
    int32_t largest = bound_case->size[bound_case->sizes - 1];
    bound_case->axes = 0;
    bound_case->fillable = 0;
    for (int a = 0; a < grid->ndims; a++) {
        if (grid->dims[a] == 1)
            continue;
        if (weight[a] > 0 && grid->dims[a] <= largest)
            bound_case->fillable |= 1 << bound_case->axes;
        bound_case->axis[bound_case->axes++] =
            (struct caucus_bound_axis){.length = grid->dims[a],
                                       .periodic = grid->periodic[a],
                                       .weight = weight[a],
                                       .lines = (double)grid->size / grid->dims[a]};
    }
}

/* jsum is a multiple of every common divisor of the weights of both directions together. */
static double round_up(const struct caucus_bound_case *bound_case, double bound) {
    int64_t divisor = 0;
    bound = fmax(0, bound - 1e-12 * caucus_bound_unfilled_lines(bound_case, 0) - 1e-12 * bound);
    for (int a = 0; a < bound_case->axes; a++) {
        double weight = 2 * bound_case->axis[a].weight;
        if (weight != floor(weight) || weight > 1e9)
            return bound;
        for (int64_t rest = (int64_t)weight; rest;) {
            int64_t remainder = divisor % rest;
            divisor = rest;
            rest = remainder;
        }
    }
    return divisor ? (double)divisor * fmax(0, ceil(bound / (double)divisor - 1e-6)) : 0;
}

/* Climbs for every set of axes that may be filled, then looks at the single nodes. */
static int work_out(struct caucus_bound_case *bound_case, bool pieces, double work, double *bound) {
    enum { MOST_SETS = 32 };
    struct caucus_bound_mix mix[MOST_SETS];
    int count = 0;
    bound_case->work = work;
    /* All that may be filled first: the bound of that holds whatever is filled. */
    for (int set = bound_case->fillable; set >= 0 && count < MOST_SETS; set--) {
        if (set & ~bound_case->fillable)
            continue;
        int status = caucus_bound_climb(bound_case, set, pieces, &mix[count++]);
        if (status)
            return status;
        if (bound_case->work < work / 2)
            break;
    }
    double by_nodes;
    int status = caucus_bound_by_nodes(bound_case, mix, count, &by_nodes);
    *bound = fmax(*bound, fmax(mix[0].value, by_nodes));
    return status;
}

int caucus_grid_bound(const struct caucus_grid_problem *problem, double *bound) {
    *bound = 0;
    int status = caucus_grid_problem_check(problem);
    if (status || problem->nodes.count == 1)
        return status;
    double weight[CAUCUS_GRID_MAX_DIMS];
    caucus_stencil_is_star(&problem->stencil, weight);
    struct caucus_bound_case bound_case = {.axes = 0};
    double work = problem->grid.size < many_cells ? most_work : most_work_of_many;
    status = gather_sizes(&problem->nodes, &bound_case);
    if (!status) {
        gather_axes(&problem->grid, weight, &bound_case);
        status = work_out(&bound_case, false, work, bound);
    }
    if (!status)
        status = work_out(&bound_case, true, work, bound);
    if (!status)
        *bound = round_up(&bound_case, *bound);
    free(bound_case.size);
    free(bound_case.count);
    return status;
}
