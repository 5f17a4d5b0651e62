/* SPDX-License-Identifier: BSD-3-Clause */
/* Hyperplane: the grid is cut in two near-equal boxes of whole nodes, again and again.
 * K. von Kirchbach, M. Lehr, S. Hunold, C. Schulz, J. L. Träff, "Efficient Process-to-Node Mapping
 * Algorithms for Stencil Computations", IEEE CLUSTER 2020.
 *
 * A cut across axis a costs about sum_v w_v v_a^2 / |v|^2, so the axes are tried by that, cheapest
 * first, the longer first among equals. The cut is at half the side or the nearest below it that
 * leaves whole nodes in both boxes; the smaller box lies towards the middle of the grid's end that
 * is farther away. Boxes of at most two nodes are filled cell by cell, the axis that is cheapest to
 * cut slowest.
 * With nodes of equal size there is always such a cut. For others, the cuts are made for the
 * largest divisor of the grid's size that is at most the mean node size, as its authors' library
 * does, and the nodes take consecutive cells. O(size * ndims). */
#include "base/status.h"
#include "plan/grid/deal.h"
#include "plan/grid/mapper.h"

#include <math.h>

struct cuts {
    const struct caucus_grid *grid;
    double cost[CAUCUS_GRID_MAX_DIMS];
    int64_t per_node;
    struct caucus_deal deal;
    int32_t *node_of_cell;
};

struct box {
    int first[CAUCUS_GRID_MAX_DIMS], sides[CAUCUS_GRID_MAX_DIMS];
    int64_t size;
};

static void price_axes(const struct caucus_stencil *stencil, double *cost) {
    for (int k = 0; k < stencil->count; k++) {
        const int *offset = caucus_stencil_offset(stencil, k);
        double length = 0;
        for (int axis = 0; axis < stencil->ndims; axis++)
            length += (double)offset[axis] * offset[axis];
        for (int axis = 0; axis < stencil->ndims; axis++)
            cost[axis] += stencil->weight[k] * ((double)offset[axis] * offset[axis] / length);
    }
}

static bool cut_before(const struct cuts *cuts, const struct box *box, int a, int b) {
    double tolerance = 1e-9 * (cuts->cost[a] + cuts->cost[b]);
    if (fabs(cuts->cost[a] - cuts->cost[b]) > tolerance)
        return cuts->cost[a] < cuts->cost[b];
    return box->sides[a] > box->sides[b];
}

static void order_axes(const struct cuts *cuts, const struct box *box, int *order) {
    for (int count = 0; count < cuts->grid->ndims; count++) {
        int at = count;
        for (; at > 0 && cut_before(cuts, box, count, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = count;
    }
}

/* Finds the axis and the side of the lower box. */
static int find_cut(const struct cuts *cuts, const struct box *box, const int *order, int *side) {
    for (int i = 0; i < cuts->grid->ndims; i++) {
        int axis = order[i];
        int64_t layer = box->size / box->sides[axis];
        for (*side = box->sides[axis] / 2; *side > 0; --*side)
            if (*side * layer % cuts->per_node == 0) {
                if (box->first[axis] + box->sides[axis] / 2 >= cuts->grid->dims[axis] / 2)
                    *side = box->sides[axis] - *side;
                return axis;
            }
    }
    return -1;
}

static void cut(struct cuts *cuts, const struct box *box) {
    int order[CAUCUS_GRID_MAX_DIMS], side = 0;
    order_axes(cuts, box, order);
    int axis = box->size <= 2 * cuts->per_node ? -1 : find_cut(cuts, box, order, &side);
    if (axis < 0) {
        caucus_deal_box(&cuts->deal, cuts->grid, box->first, box->sides, cuts->grid->ndims, order,
                        cuts->node_of_cell);
        return;
    }
    struct box lower = *box, upper = *box;
    lower.sides[axis] = side;
    upper.sides[axis] -= side;
    upper.first[axis] += side;
    lower.size = box->size / box->sides[axis] * side;
    upper.size -= lower.size;
    cut(cuts, &lower);
    cut(cuts, &upper);
}

int caucus_grid_map_hyperplane(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    const struct caucus_grid *grid = &problem->grid;
    struct cuts cuts = {.grid = grid,
                        .per_node = grid->size / problem->nodes.count,
                        .deal = caucus_deal_begin(&problem->nodes),
                        .node_of_cell = node_of_cell};
    while (grid->size % cuts.per_node)
        cuts.per_node--;
    price_axes(&problem->stencil, cuts.cost);
    struct box whole = {.size = grid->size};
    for (int axis = 0; axis < grid->ndims; axis++)
        whole.sides[axis] = grid->dims[axis];
    cut(&cuts, &whole);
    return CAUCUS_OK;
}
