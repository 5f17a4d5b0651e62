/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencil strips: bundles of lines along the longest axis, walked to and fro, cut consecutively.
 * K. von Kirchbach, M. Lehr, S. Hunold, C. Schulz, J. L. Träff, "Efficient Process-to-Node Mapping
 * Algorithms for Stencil Computations", IEEE CLUSTER 2020.
 *
 * A node's ideal box has sides alpha_a * n^(1/k), alpha_a = e_a / (e_1 * ... * e_k)^(1/k), where
 * e_a is how far the stencil extends along a (at least 1), n the mean node size and k the number
 * of axes longer than 1. Each axis but the longest is divided into about d_a / side strips, the
 * first ones a cell wider where it does not come out even:
 *
 *     longest axis ->           . . . > . . .      strip 0, walked up, layer by layer
 *                               . . . < . . .      strip 1, walked down, and so on
 *
 * Weights are not looked at. Any node sizes. O(size * ndims). */
#include "base/status.h"
#include "plan/grid/deal.h"
#include "plan/grid/mapper.h"

#include <math.h>

/* The axes across the strips, and how each is divided. */
struct division {
    int count;
    int axis[CAUCUS_GRID_MAX_DIMS];
    int strips[CAUCUS_GRID_MAX_DIMS];
};

static int longest_axis(const struct caucus_grid *grid) {
    int longest = 0;
    for (int axis = 1; axis < grid->ndims; axis++)
        if (grid->dims[axis] > grid->dims[longest])
            longest = axis;
    return longest;
}

static double extent(const struct caucus_stencil *stencil, int axis) {
    double low = 0, high = 0;
    for (int k = 0; k < stencil->count; k++) {
        low = fmin(low, stencil->offset[k * stencil->ndims + axis]);
        high = fmax(high, stencil->offset[k * stencil->ndims + axis]);
    }
    return fmax(high - low, 1);
}

static struct division divide(const struct caucus_grid_problem *problem, int along) {
    const struct caucus_grid *grid = &problem->grid;
    struct division division = {0};
    double volume = 1; /* of the stencil's bounding box */
    for (int axis = 0; axis < grid->ndims; axis++)
        if (grid->dims[axis] > 1) {
            volume *= extent(&problem->stencil, axis);
            if (axis != along)
                division.axis[division.count++] = axis;
        }
    double per_node = (double)grid->size / problem->nodes.count;
    double scale = pow(per_node / volume, 1.0 / (division.count + 1));
    for (int i = 0; i < division.count; i++) {
        int size = grid->dims[division.axis[i]];
        double side = fmax(1, round(extent(&problem->stencil, division.axis[i]) * scale));
        division.strips[i] = (int)fmax(1, round(size / side));
    }
    return division;
}

/* Where the strip lies along an axis. */
static void strip_span(int size, int strips, int strip, int *first, int *width) {
    int wider = size % strips;
    *width = size / strips + (strip < wider);
    *first = strip * (size / strips) + (strip < wider ? strip : wider);
}

/* The strip that comes at a place of the walk: from one strip to the next, one coordinate changes
 * by one (a reflected mixed-radix Gray code). */
static void strip_at(const struct division *division, int64_t place, int *strip) {
    for (int i = division->count - 1; i >= 0; i--) {
        int strips = division->strips[i];
        int64_t before = place / strips;
        int digit = (int)(place % strips);
        strip[i] = before % 2 == 0 ? digit : strips - 1 - digit;
        place = before;
    }
}

int caucus_grid_map_strips(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    const struct caucus_grid *grid = &problem->grid;
    int along = longest_axis(grid);
    int length = grid->ndims ? grid->dims[along] : 1;
    struct division division = divide(problem, along);
    struct caucus_deal deal = caucus_deal_begin(&problem->nodes);
    int64_t strips = 1;
    for (int i = 0; i < division.count; i++)
        strips *= division.strips[i];
    for (int64_t place = 0; place < strips; place++) {
        int strip[CAUCUS_GRID_MAX_DIMS], first[CAUCUS_GRID_MAX_DIMS] = {0};
        int width[CAUCUS_GRID_MAX_DIMS];
        for (int axis = 0; axis < grid->ndims; axis++)
            width[axis] = 1;
        strip_at(&division, place, strip);
        for (int i = 0; i < division.count; i++) {
            int axis = division.axis[i];
            strip_span(grid->dims[axis], division.strips[i], strip[i], &first[axis], &width[axis]);
        }
        for (int layer = 0; layer < length; layer++) {
            first[along] = place % 2 == 0 ? layer : length - 1 - layer;
            caucus_deal_box(&deal, grid, first, width, division.count, division.axis, node_of_cell);
        }
    }
    return CAUCUS_OK;
}
