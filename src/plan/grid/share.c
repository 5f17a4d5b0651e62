/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/share.h"

#include "plan/grid/shape.h"

#include <limits.h>
#include <string.h>

static void widen(int neighbors, int *min, int *max) {
    *min = neighbors < *min ? neighbors : *min;
    *max = neighbors > *max ? neighbors : *max;
}

void caucus_grid_evaluate_share(const struct caucus_grid *grid,
                                const struct caucus_stencil *stencil, int count,
                                const int64_t *cells, struct caucus_grid_share *share) {
    memset(share, 0, sizeof *share);
    share->cells = count;
    share->on_min = share->off_min = count ? INT_MAX : 0;
    for (int i = 0; i < count; i++) {
        int on = 0, off = 0, coordinates[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cells[i], coordinates);
        for (int k = 0; k < stencil->count; k++) {
            const int *offset = stencil->offset + (size_t)k * (size_t)grid->ndims;
            int64_t neighbor = caucus_grid_neighbor(grid, coordinates, offset);
            if (neighbor < 0 || neighbor == cells[i])
                continue;
            bool stays = caucus_shape_position(count, cells, neighbor) >= 0;
            share->total += stencil->weight[k];
            share->leaving += stays ? 0 : stencil->weight[k];
            on += stays;
            off += !stays;
        }
        share->on += on;
        share->off += off;
        widen(on, &share->on_min, &share->on_max);
        widen(off, &share->off_min, &share->off_max);
    }
}
