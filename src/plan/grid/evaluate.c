/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/evaluate.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/cluster.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void widen(int neighbors, int *min, int *max) {
    *min = neighbors < *min ? neighbors : *min;
    *max = neighbors > *max ? neighbors : *max;
}

/* Adds the edges that leave one cell; returns the weight of those that leave its part, which is
 * that of part_of_cell or, without that, the count cells, ascending. */
static double add_cell(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                       int64_t cell, const int *coordinates, const int32_t *part_of_cell, int count,
                       const int64_t *cells, struct caucus_grid_share *share) {
    int on = 0, off = 0;
    double leaving = 0;
    for (int k = 0; k < stencil->count; k++) {
        int64_t neighbor =
            caucus_grid_neighbor(grid, coordinates, caucus_stencil_offset(stencil, k));
        if (neighbor < 0 || neighbor == cell)
            continue;
        bool stays = part_of_cell ? part_of_cell[neighbor] == part_of_cell[cell]
                                  : caucus_shape_position(count, cells, neighbor) >= 0;
        share->total += stencil->weight[k];
        leaving += stays ? 0 : stencil->weight[k];
        on += stays;
        off += !stays;
    }
    share->leaving += leaving;
    share->on += on;
    share->off += off;
    widen(on, &share->on_min, &share->on_max);
    widen(off, &share->off_min, &share->off_max);
    return leaving;
}

int caucus_grid_evaluate(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                         const int32_t *part_of_cell, int32_t parts,
                         struct caucus_grid_score *score) {
    struct caucus_grid_share all = {.on_min = INT_MAX, .off_min = INT_MAX};
    double cells = (double)grid->size;
    memset(score, 0, sizeof *score);
    double *leaving = caucus_array(parts, sizeof *leaving);
    if (!leaving)
        return CAUCUS_NO_MEMORY;
    int coordinates[CAUCUS_GRID_MAX_DIMS] = {0};
    for (int64_t cell = 0; cell < grid->size; cell++) {
        leaving[part_of_cell[cell]] +=
            add_cell(grid, stencil, cell, coordinates, part_of_cell, 0, NULL, &all);
        caucus_grid_next(grid, coordinates);
    }
    for (int32_t part = 0; part < parts; part++) {
        score->jsum += leaving[part];
        score->jmax = leaving[part] > score->jmax ? leaving[part] : score->jmax;
    }
    score->total = all.total;
    score->on = (struct caucus_neighbor_range){all.on_min, all.on_max, (double)all.on / cells};
    score->off = (struct caucus_neighbor_range){all.off_min, all.off_max, (double)all.off / cells};
    free(leaving);
    return CAUCUS_OK;
}

void caucus_grid_evaluate_share(const struct caucus_grid *grid,
                                const struct caucus_stencil *stencil, int count,
                                const int64_t *cells, struct caucus_grid_share *share) {
    *share = (struct caucus_grid_share){.cells = count};
    share->on_min = share->off_min = count ? INT_MAX : 0;
    for (int i = 0; i < count; i++) {
        int coordinates[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cells[i], coordinates);
        add_cell(grid, stencil, cells[i], coordinates, NULL, count, cells, share);
    }
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
