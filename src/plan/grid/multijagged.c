/* SPDX-License-Identifier: BSD-3-Clause */
/* Even multi-jagged cuts, for few nodes: there the choice of cuts matters most, and all of them can
 * be tried. E. G. Boman, K. D. Devine, M. Deveci et al., "Multi-Jagged: A Scalable Parallel Spatial
 * Partitioning Algorithm", IEEE Transactions on Parallel and Distributed Systems, 2016; here with
 * exact sizes.
 *
 *     for an order of the axes:   level 1  sort by (1st, 2nd, ...) axis, cut into r_1 groups of
 * nodes level 2  sort each group by (2nd, 3rd, ...), cut into r_2 groups last     sort by the last
 * axis first, cut into single nodes
 *
 * Tried are all orders of the axes and all r within -1 .. +2 of what a node's ideal box asks for,
 * those nearest to it first, until the work allowed is used up. Nodes stand in their order, and
 * where sizes differ also by size, largest first.
 * Limits: at most 64 nodes. At most about 3 * 10^7 steps of a few ns each, or one try. */
#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/jagged.h"
#include "plan/grid/mapper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, MOST_RELATIONS = 1 << 26, MOST_WORK = 30000000, DELTAS = 4 };

struct search {
    const struct caucus_grid_problem *problem;
    struct caucus_stencil steps;
    int32_t *table;
    int axes;                            /* those longer than 1 */
    int axis[CAUCUS_GRID_MAX_DIMS];      /* most cuts first */
    double pieces[CAUCUS_GRID_MAX_DIMS]; /* side / ideal side, by axis */
    int32_t node_of_part[MOST_NODES], size[MOST_NODES];
    int32_t *order;                 /* [axes][size]: the cells in each level's order */
    int32_t *trial;                 /* [size] */
    int32_t *best;                  /* [size], the caller's */
    struct caucus_grid_score score; /* of best; jsum is infinite until there is one */
    int64_t work, most_work;
};

/* What a cut across each axis costs per cell, the largest 1. */
static void price_cuts(const struct search *search, double *price) {
    const struct caucus_grid *grid = &search->problem->grid;
    const struct caucus_stencil *steps = &search->steps;
    double largest = 0;
    for (int axis = 0; axis < grid->ndims; axis++) {
        price[axis] = 0;
        for (int k = 0; k < steps->count; k++) {
            int step = abs(steps->offset[k * grid->ndims + axis]);
            if (grid->periodic[axis] && step > grid->dims[axis] / 2)
                step = grid->dims[axis] - step;
            price[axis] += steps->weight[k] * step;
        }
        largest = fmax(largest, price[axis]);
    }
    for (int axis = 0; axis < grid->ndims; axis++)
        price[axis] = fmax(largest > 0 ? price[axis] / largest : 1, 1e-9);
}

/* The best box for a node has sides in proportion to the prices, as far as the grid lets them. */
static void find_pieces(struct search *search) {
    const struct caucus_grid *grid = &search->problem->grid;
    double price[CAUCUS_GRID_MAX_DIMS], low = 0, high = 1e9 * (double)grid->size;
    price_cuts(search, price);
    for (int halving = 0; halving < 120; halving++) {
        double middle = (low + high) / 2, volume = 1;
        for (int axis = 0; axis < grid->ndims; axis++) {
            double side = fmin(fmax(price[axis] * middle, 1), grid->dims[axis]);
            search->pieces[axis] = grid->dims[axis] / side;
            volume *= side;
        }
        if (volume * search->problem->nodes.count < (double)grid->size)
            low = middle;
        else
            high = middle;
    }
}

/* Lists all cells, sorted by the axes from position level of axis on, then by those before it. */
static void list_cells(const struct caucus_grid *grid, int axes, const int *axis, int level,
                       int32_t *order) {
    int size[CAUCUS_GRID_MAX_DIMS], at[CAUCUS_GRID_MAX_DIMS] = {0};
    int64_t stride[CAUCUS_GRID_MAX_DIMS], cell = 0;
    for (int j = 0; j < axes; j++) {
        int moved = axis[(level + j) % axes];
        size[j] = grid->dims[moved];
        stride[j] = 1;
        for (int faster = moved + 1; faster < grid->ndims; faster++)
            stride[j] *= grid->dims[faster];
    }
    for (int64_t i = 0; i < grid->size; i++) {
        order[i] = (int32_t)cell;
        for (int j = axes - 1; j >= 0; j--) {
            cell += stride[j];
            if (++at[j] < size[j])
                break;
            at[j] = 0;
            cell -= size[j] * stride[j];
        }
    }
}

static double trial_jsum(const struct search *search) {
    const int32_t *neighbor = search->table;
    double jsum = 0;
    for (int64_t cell = 0; cell < search->problem->grid.size; cell++)
        for (int k = 0; k < search->steps.count; k++)
            if (search->trial[*neighbor++] != search->trial[cell])
                jsum += search->steps.weight[k];
    return jsum;
}

/* Keeps the trial if it is better than the best. */
static int judge(struct search *search) {
    const struct caucus_grid_problem *problem = search->problem;
    struct caucus_grid_score score = {
        .jsum = trial_jsum(search), .jmax = -1, .total = search->score.total};
    if (!caucus_grid_better(&score, &search->score))
        return CAUCUS_OK;
    for (int64_t cell = 0; cell < problem->grid.size; cell++)
        search->trial[cell] = search->node_of_part[search->trial[cell]];
    int status = caucus_grid_evaluate(&problem->grid, &problem->stencil, search->trial,
                                      problem->nodes.count, &score);
    if (status || !caucus_grid_better(&score, &search->score))
        return status;
    search->score = score;
    memcpy(search->best, search->trial, (size_t)problem->grid.size * sizeof *search->best);
    return CAUCUS_OK;
}

static int try_cuts(struct search *search, const int32_t *groups) {
    int64_t size = search->problem->grid.size;
    int32_t memory[4 * MOST_NODES];
    caucus_jagged_cut(search->problem->nodes.count, search->size, search->axes, groups, size,
                      search->order, memory, search->trial);
    search->work += size * (search->steps.count + 3 * search->axes);
    return judge(search);
}

/* Tries the numbers of groups whose distances from the ideal ones sum up to distance. */
static int try_groups(struct search *search, const int *axis, int level, int distance,
                      int32_t *groups) {
    static const int cost[DELTAS] = {0, 1, 1, 2}, delta[DELTAS] = {0, -1, 1, 2};
    if (level + 1 == search->axes)
        return distance == 0 ? try_cuts(search, groups) : CAUCUS_OK;
    for (int choice = 0; choice < DELTAS; choice++) {
        groups[level] = (int32_t)search->pieces[axis[level]] + delta[choice];
        if (cost[choice] > distance || groups[level] < 1 || search->work > search->most_work)
            continue;
        int status = try_groups(search, axis, level + 1, distance - cost[choice], groups);
        if (status)
            return status;
    }
    return CAUCUS_OK;
}

static int try_orders(struct search *search, int distance) {
    int rank[CAUCUS_GRID_MAX_DIMS], axis[CAUCUS_GRID_MAX_DIMS];
    int32_t groups[CAUCUS_GRID_MAX_DIMS];
    for (int i = 0; i < search->axes; i++)
        rank[i] = i;
    do {
        int64_t size = search->problem->grid.size;
        for (int i = 0; i < search->axes; i++)
            axis[i] = search->axis[rank[i]];
        for (int level = 0; level < search->axes; level++)
            list_cells(&search->problem->grid, search->axes, axis, level,
                       search->order + level * size);
        search->work += 3 * size * search->axes;
        int status = try_groups(search, axis, 0, distance, groups);
        if (status)
            return status;
    } while (search->work <= search->most_work && caucus_permutation_next(search->axes, rank));
    return CAUCUS_OK;
}

static int try_all(struct search *search) {
    int status = CAUCUS_OK;
    search->work = 0;
    for (int distance = 0;
         distance <= 2 * (search->axes - 1) && !status && search->work <= search->most_work;
         distance++)
        status = try_orders(search, distance);
    return status;
}

static void order_nodes(struct search *search, bool by_size) {
    const struct caucus_nodes *nodes = &search->problem->nodes;
    for (int32_t node = 0; node < nodes->count; node++) {
        int32_t size = caucus_nodes_size(nodes, node), at = node;
        for (; by_size && at > 0 && search->size[at - 1] < size; at--) {
            search->size[at] = search->size[at - 1];
            search->node_of_part[at] = search->node_of_part[at - 1];
        }
        search->size[at] = size;
        search->node_of_part[at] = node;
    }
}

static int run(struct search *search) {
    int64_t size = search->problem->grid.size;
    int status = caucus_steps_table(&search->problem->grid, &search->steps, &search->table);
    search->order = caucus_array(size * search->axes, sizeof *search->order);
    search->trial = caucus_array(size, sizeof *search->trial);
    if (status || !search->order || !search->trial)
        return CAUCUS_NO_MEMORY;
    find_pieces(search);
    caucus_order_axes(search->axes, search->pieces, search->axis);
    bool uneven = !search->problem->nodes.equal;
    search->most_work = uneven ? MOST_WORK / 2 : MOST_WORK;
    for (int by_size = 0; by_size <= uneven && !status; by_size++) {
        order_nodes(search, by_size);
        status = try_all(search);
    }
    return status;
}

int caucus_grid_map_multijagged(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    struct search search = {.problem = problem, .best = node_of_cell, .score.jsum = INFINITY};
    if (problem->nodes.count > MOST_NODES)
        return caucus_fail(CAUCUS_NOT_APPLICABLE,
                           "multi-jagged cuts serve at most %d nodes, here are %d", MOST_NODES,
                           problem->nodes.count);
    for (int axis = 0; axis < problem->grid.ndims; axis++)
        if (problem->grid.dims[axis] > 1)
            search.axis[search.axes++] = axis;
    if (search.axes < 2)
        return caucus_grid_map_row_major(problem, node_of_cell);
    int status = caucus_steps_init(&problem->grid, &problem->stencil, &search.steps);
    if (!status && problem->grid.size * search.steps.count > MOST_RELATIONS)
        status =
            caucus_fail(CAUCUS_NOT_APPLICABLE,
                        "multi-jagged cuts serve at most %d pairs of neighbours, here are %lld",
                        MOST_RELATIONS, (long long)(problem->grid.size * search.steps.count));
    if (!status)
        status = run(&search);
    caucus_stencil_free(&search.steps);
    free(search.table);
    free(search.order);
    free(search.trial);
    return status;
}
