/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/evaluate.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void widen(struct caucus_neighbor_range *range, int neighbors) {
    range->min = neighbors < range->min ? neighbors : range->min;
    range->max = neighbors > range->max ? neighbors : range->max;
    range->mean += neighbors;
}

/* Adds the edges that leave one cell; leaving is the sum of its part. */
static void add_cell(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                     const int32_t *part_of_cell, int64_t cell, const int *coordinates,
                     double *leaving, struct caucus_grid_score *score) {
    int on = 0, off = 0;
    for (int k = 0; k < stencil->count; k++) {
        int64_t neighbor = caucus_grid_neighbor(grid, coordinates,
                                                stencil->offset + (size_t)k * (size_t)grid->ndims);
        if (neighbor < 0 || neighbor == cell)
            continue;
        score->total += stencil->weight[k];
        if (part_of_cell[neighbor] == part_of_cell[cell]) {
            on++;
        } else {
            off++;
            *leaving += stencil->weight[k];
        }
    }
    widen(&score->on, on);
    widen(&score->off, off);
}

static void next_coordinates(const struct caucus_grid *grid, int *coordinates) {
    for (int axis = grid->ndims - 1; axis >= 0; axis--) {
        if (++coordinates[axis] < grid->dims[axis])
            return;
        coordinates[axis] = 0;
    }
}

int caucus_grid_evaluate(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                         const int32_t *part_of_cell, int32_t parts,
                         struct caucus_grid_score *score) {
    memset(score, 0, sizeof *score);
    score->on.min = score->off.min = stencil->count;
    double *leaving = caucus_array(parts, sizeof *leaving);
    if (!leaving)
        return CAUCUS_NO_MEMORY;
    int coordinates[CAUCUS_GRID_MAX_DIMS] = {0};
    for (int64_t cell = 0; cell < grid->size; cell++) {
        add_cell(grid, stencil, part_of_cell, cell, coordinates, &leaving[part_of_cell[cell]],
                 score);
        next_coordinates(grid, coordinates);
    }
    for (int32_t part = 0; part < parts; part++) {
        score->jsum += leaving[part];
        score->jmax = leaving[part] > score->jmax ? leaving[part] : score->jmax;
    }
    score->on.mean /= (double)grid->size;
    score->off.mean /= (double)grid->size;
    free(leaving);
    return CAUCUS_OK;
}

bool caucus_grid_better(const struct caucus_grid_score *a, const struct caucus_grid_score *b) {
    double tolerance = 1e-12 * fmax(a->total, b->total);
    if (fabs(a->jsum - b->jsum) > tolerance)
        return a->jsum < b->jsum;
    return a->jmax < b->jmax - tolerance;
}

int caucus_grid_check_sizes(const struct caucus_grid_problem *problem,
                            const int32_t *node_of_cell) {
    int32_t count = problem->nodes.count;
    int32_t *cells = caucus_array(count, sizeof *cells);
    if (!cells)
        return CAUCUS_NO_MEMORY;
    int status = CAUCUS_OK;
    for (int64_t cell = 0; cell < problem->grid.size && !status; cell++) {
        if (node_of_cell[cell] < 0 || node_of_cell[cell] >= count)
            status = caucus_fail(CAUCUS_INTERNAL, "cell %lld has node %d of %d", (long long)cell,
                                 node_of_cell[cell], count);
        else
            cells[node_of_cell[cell]]++;
    }
    for (int32_t node = 0; node < count && !status; node++)
        if (cells[node] != caucus_nodes_size(&problem->nodes, node))
            status = caucus_fail(CAUCUS_INTERNAL, "node %d has %d cells for %d ranks", node,
                                 cells[node], caucus_nodes_size(&problem->nodes, node));
    free(cells);
    return status;
}
