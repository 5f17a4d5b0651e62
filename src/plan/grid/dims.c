/* SPDX-License-Identifier: BSD-3-Clause */
/* Dimensions by enumeration: all factorisations that keep the fixed entries are priced by a lower
 * bound of (bytes between nodes) + TOTAL_SHARE * (all halo bytes); the most promising are planned
 * with nested slabs, until the next bound is no better than the best found.
 *
 * Halo of a rank across axis a: w_a = product over b != a of extent_b / d_b. The bound is the
 * isoperimetric one for boxes; where nodes differ in size or axes are periodic it is a heuristic
 * order only. Enumeration starts near the ideal sides and ends after MOST_LEAVES factorisations,
 * so that ten dimensions of 2^20 ranks take milliseconds too. */
#include "plan/grid/dims.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/slabs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEAVES = 200000, CANDIDATES = 48, PLANNED = 8, MOST_DIVISORS = 2048 };

static const double TOTAL_SHARE = 0.1;
static const int64_t EXACT_SIZE = 20000; /* larger grids are priced by the planner's estimate */

struct candidate {
    int dims[CAUCUS_GRID_MAX_DIMS];
    double bound;
};

struct search {
    const struct caucus_nodes *nodes;
    int ndims;
    double extents[CAUCUS_GRID_MAX_DIMS];
    int periodic[CAUCUS_GRID_MAX_DIMS];
    int fixed[CAUCUS_GRID_MAX_DIMS]; /* 0 where free */
    int dims[CAUCUS_GRID_MAX_DIMS];
    int divisors, divisor[MOST_DIVISORS];
    int leaves;
    int count;
    struct candidate best[CANDIDATES + 1]; /* by bound; room for the one that drops out */
};

static void halo_weights(const struct search *search, const int *dims, double *weight) {
    for (int axis = 0; axis < search->ndims; axis++) {
        weight[axis] = 1;
        for (int other = 0; other < search->ndims; other++)
            if (other != axis)
                weight[axis] *= search->extents[other] / dims[other];
    }
}

static double total_bytes(const struct search *search, const int *dims, const double *weight) {
    double total = 0;
    for (int axis = 0; axis < search->ndims; axis++) {
        double lines = (double)search->nodes->ranks / dims[axis];
        int edges = search->periodic[axis] && dims[axis] > 1 ? dims[axis] : dims[axis] - 1;
        total += 2 * weight[axis] * lines * edges;
    }
    return total;
}

static double lower_bound(const struct search *search, const int *dims) {
    double weight[CAUCUS_GRID_MAX_DIMS];
    double ranks = (double)search->nodes->ranks, per_node = ranks / search->nodes->count;
    double outer = 0, logarithm = 0;
    int axes = 0;
    halo_weights(search, dims, weight);
    for (int axis = 0; axis < search->ndims; axis++) {
        if (dims[axis] == 1)
            continue;
        axes++;
        logarithm += log(weight[axis]);
        outer += search->periodic[axis] ? 0 : 2 * weight[axis] * ranks / dims[axis];
    }
    double inter = 0;
    if (axes > 0 && search->nodes->count > 1)
        inter =
            2 * axes * exp(((axes - 1) * log(per_node) + logarithm) / axes) * search->nodes->count -
            outer;
    return fmax(inter, 0) + TOTAL_SHARE * total_bytes(search, dims, weight);
}

/* Of equal bounds the one with larger leading dimensions comes first, as MPI_Dims_create orders. */
static bool comes_before(const struct candidate *a, const struct candidate *b, int ndims) {
    double tolerance = 1e-9 * fmax(a->bound, b->bound);
    if (fabs(a->bound - b->bound) > tolerance)
        return a->bound < b->bound;
    for (int axis = 0; axis < ndims; axis++)
        if (a->dims[axis] != b->dims[axis])
            return a->dims[axis] > b->dims[axis];
    return false;
}

static void keep(struct search *search) {
    struct candidate entry = {.bound = lower_bound(search, search->dims)};
    memcpy(entry.dims, search->dims, sizeof entry.dims);
    int place = search->count;
    for (; place > 0 && comes_before(&entry, &search->best[place - 1], search->ndims); place--)
        search->best[place] = search->best[place - 1];
    search->best[place] = entry;
    search->count += search->count < CANDIDATES;
}

/* The side that axis would have if the free axes from it on shared rest in proportion to extents.
 */
static double ideal_side(const struct search *search, int axis, int64_t rest) {
    double product = 1;
    int axes = 0;
    for (int other = axis; other < search->ndims; other++)
        if (!search->fixed[other]) {
            product *= search->extents[other];
            axes++;
        }
    return search->extents[axis] * pow((double)rest / product, 1.0 / axes);
}

static void enumerate(struct search *search, int axis, int64_t rest) {
    if (search->leaves >= MOST_LEAVES)
        return;
    if (axis == search->ndims) {
        search->leaves++;
        if (rest == 1)
            keep(search);
        return;
    }
    if (search->fixed[axis]) {
        search->dims[axis] = search->fixed[axis];
        enumerate(search, axis + 1, rest);
        return;
    }
    bool last = true;
    for (int other = axis + 1; other < search->ndims; other++)
        last = last && search->fixed[other];
    if (last) {
        search->dims[axis] = (int)rest;
        enumerate(search, axis + 1, 1);
        return;
    }
    double ideal = ideal_side(search, axis, rest);
    int above = 0;
    while (above < search->divisors && search->divisor[above] < ideal)
        above++;
    for (int below = above - 1; below >= 0 || above < search->divisors;) { /* nearest ratio first */
        bool up = below < 0 || (above < search->divisors &&
                                search->divisor[above] / ideal <= ideal / search->divisor[below]);
        int side = search->divisor[up ? above++ : below--];
        if (rest % side == 0) {
            search->dims[axis] = side;
            enumerate(search, axis + 1, rest / side);
        }
    }
}

static int exact_cost(const struct caucus_grid_problem *problem, double *cost) {
    int32_t *node_of_cell = caucus_array(problem->grid.size, sizeof *node_of_cell);
    struct caucus_grid_score score = {0};
    int status = node_of_cell ? caucus_grid_map_slabs(problem, node_of_cell) : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell,
                                      problem->nodes.count, &score);
    free(node_of_cell);
    *cost = score.jsum;
    return status;
}

static int estimated_cost(const struct caucus_grid_problem *problem, double *cost) {
    struct caucus_slabs *slabs;
    int status = caucus_slabs_plan(problem, &slabs);
    if (!status)
        *cost = caucus_slabs_estimate(slabs);
    caucus_slabs_free(slabs);
    return status;
}

static int price(const struct search *search, const int *dims, double *cost) {
    double weight[CAUCUS_GRID_MAX_DIMS];
    struct caucus_grid_problem problem = {.nodes = *search->nodes};
    halo_weights(search, dims, weight);
    int status = caucus_grid_init(&problem.grid, search->ndims, dims, search->periodic);
    if (!status)
        status = caucus_stencil_init_star(&problem.stencil, search->ndims, weight);
    if (!status)
        status = problem.grid.size > EXACT_SIZE ? estimated_cost(&problem, cost)
                                                : exact_cost(&problem, cost);
    if (!status)
        *cost += TOTAL_SHARE * total_bytes(search, dims, weight);
    caucus_stencil_free(&problem.stencil);
    return status;
}

static int price_candidates(const struct search *search, int *dims) {
    double least = INFINITY;
    for (int i = 0; i < search->count && i < PLANNED && search->best[i].bound < least * (1 - 1e-9);
         i++) {
        double cost;
        int status = price(search, search->best[i].dims, &cost);
        if (status)
            return status;
        if (cost < least * (1 - 1e-9)) {
            least = cost;
            memcpy(dims, search->best[i].dims, (size_t)search->ndims * sizeof *dims);
        }
    }
    return CAUCUS_OK;
}

/* Halos are products of extents: none of them may overflow or vanish. */
static int check_extents(int ndims, const double *extents) {
    static const double most_doublings = 900;
    double doublings = 0;
    for (int axis = 0; extents && axis < ndims; axis++) {
        if (!isfinite(extents[axis]) || extents[axis] <= 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "extents[%d] is %g: it must be finite and positive", axis,
                               extents[axis]);
        doublings += fabs(log2(extents[axis]));
    }
    if (doublings > most_doublings)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the extents, the first of which is %g, are too large or too small to "
                           "be multiplied: give them in another unit",
                           extents[0]);
    return CAUCUS_OK;
}

int caucus_grid_dims_check(int64_t ranks, int ndims, const double *extents, const int *dims) {
    int64_t rest = ranks;
    bool any_free = ndims == 0;
    if (caucus_grid_check_ndims(ndims))
        return CAUCUS_BAD_DIMS;
    if (ndims > 0 && !dims)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "dims is a null pointer: %d entries are needed",
                           ndims);
    for (int axis = 0; axis < ndims; axis++) {
        if (dims[axis] < 0)
            return caucus_fail(CAUCUS_BAD_DIMS,
                               "dims[%d] is %d: it must be 0 (to be filled) or positive", axis,
                               dims[axis]);
        if (dims[axis] > 0 && rest % dims[axis])
            return caucus_fail(
                CAUCUS_BAD_DIMS,
                "dims[%d] is %d: with the entries before it that does not divide %lld ranks", axis,
                dims[axis], (long long)ranks);
        rest /= dims[axis] > 0 ? dims[axis] : 1;
        any_free = any_free || dims[axis] == 0;
    }
    if (!any_free && rest != 1)
        return caucus_fail(CAUCUS_BAD_DIMS, "the product of dims is %lld: it must be %lld ranks",
                           (long long)(ranks / rest), (long long)ranks);
    return check_extents(ndims, extents);
}

static void find_divisors(struct search *search, int64_t number) {
    int64_t root = (int64_t)sqrt((double)number);
    for (int64_t side = 1; side <= root; side++)
        if (number % side == 0)
            search->divisor[search->divisors++] = (int)side;
    for (int i = search->divisors - 1; i >= 0; i--) {
        int64_t partner = number / search->divisor[i];
        if (partner > root)
            search->divisor[search->divisors++] = (int)partner;
    }
}

int caucus_grid_dims(const struct caucus_nodes *nodes, int ndims, const double *extents,
                     const int *periodic, int *dims) {
    int status = caucus_grid_dims_check(nodes->ranks, ndims, extents, dims);
    if (status || ndims == 0)
        return status;
    struct search *search = caucus_array(1, sizeof *search);
    if (!search)
        return CAUCUS_NO_MEMORY;
    search->nodes = nodes;
    search->ndims = ndims;
    int64_t free_ranks = nodes->ranks; /* what the zeros have to multiply to */
    for (int axis = 0; axis < ndims; axis++) {
        search->extents[axis] = extents ? extents[axis] : 1;
        search->periodic[axis] = periodic && periodic[axis];
        search->fixed[axis] = dims[axis];
        free_ranks /= dims[axis] ? dims[axis] : 1;
    }
    find_divisors(search, free_ranks);
    enumerate(search, 0, free_ranks);
    status = price_candidates(search, dims);
    free(search);
    return status;
}
