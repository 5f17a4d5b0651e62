/* SPDX-License-Identifier: BSD-3-Clause */
/* K-d tree: the grid is halved down to single cells, and the nodes take the leaves in order.
 * K. von Kirchbach, M. Lehr, S. Hunold, C. Schulz, J. L. Träff, "Efficient Process-to-Node Mapping
 * Algorithms for Stencil Computations", IEEE CLUSTER 2020.
 *
 * Each cut goes across the axis with the largest d_a / f_a, where f_a is the number of offsets that
 * move along a (their weights, where there are some), so that axes with little traffic are cut
 * early. An axis without any traffic is cut before all others, the longest first; ties go to the
 * first axis.
 * Any node sizes. O(size * ndims). */
#include "base/status.h"
#include "plan/grid/deal.h"
#include "plan/grid/mapper.h"

#include <math.h>

struct tree {
    const struct caucus_grid *grid;
    double traffic[CAUCUS_GRID_MAX_DIMS];
    struct caucus_deal deal;
    int32_t *node_of_cell;
};

static double urgency(const struct tree *tree, int axis, int side) {
    return tree->traffic[axis] > 0 ? side / tree->traffic[axis] : INFINITY;
}

/* The axis to cut a box across, -1 for a single cell. */
static int cut_axis(const struct tree *tree, const int *sides) {
    int best = -1;
    for (int axis = 0; axis < tree->grid->ndims; axis++) {
        if (sides[axis] == 1)
            continue;
        if (best < 0 || urgency(tree, axis, sides[axis]) > urgency(tree, best, sides[best]) ||
            (tree->traffic[axis] <= 0 && tree->traffic[best] <= 0 && sides[axis] > sides[best]))
            best = axis;
    }
    return best;
}

/* first and sides are changed on the way and restored. */
static void descend(struct tree *tree, int *first, int *sides) {
    int axis = cut_axis(tree, sides);
    if (axis < 0) {
        tree->node_of_cell[caucus_grid_cell(tree->grid, first)] = caucus_deal_next(&tree->deal);
        return;
    }
    int side = sides[axis];
    int half = side / 2;
    sides[axis] = half;
    descend(tree, first, sides);
    first[axis] += half;
    sides[axis] = side - half;
    descend(tree, first, sides);
    first[axis] -= half;
    sides[axis] = side;
}

int caucus_grid_map_kdtree(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    const struct caucus_grid *grid = &problem->grid;
    struct tree tree = {
        .grid = grid, .deal = caucus_deal_begin(&problem->nodes), .node_of_cell = node_of_cell};
    int first[CAUCUS_GRID_MAX_DIMS] = {0}, sides[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < grid->ndims; axis++) {
        sides[axis] = grid->dims[axis];
        for (int k = 0; k < problem->stencil.count; k++)
            if (problem->stencil.offset[k * grid->ndims + axis] != 0)
                tree.traffic[axis] += problem->stencil.weight[k];
    }
    descend(&tree, first, sides);
    return CAUCUS_OK;
}
