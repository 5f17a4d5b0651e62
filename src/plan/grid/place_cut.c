/* SPDX-License-Identifier: BSD-3-Clause */
/* What a placement inside a node leaves between the parts of a level. O(count * offsets). */
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/cluster.h"
#include "plan/grid/place.h"

#include <stdlib.h>

struct placed_cell {
    int64_t cell;
    int32_t part;
};

static int by_cell(const void *a, const void *b) {
    const struct placed_cell *left = a, *right = b;
    return (left->cell > right->cell) - (left->cell < right->cell);
}

static void sort_by_cell(int count, const int64_t *cell_of_local, const int32_t *part_of_local,
                         struct placed_cell *placed, int64_t *cell, int32_t *part) {
    for (int local = 0; local < count; local++)
        placed[local] = (struct placed_cell){cell_of_local[local], part_of_local[local]};
    qsort(placed, (size_t)count, sizeof *placed, by_cell);
    for (int i = 0; i < count; i++) {
        cell[i] = placed[i].cell;
        part[i] = placed[i].part;
    }
}

int caucus_grid_place_cut(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                          int count, const int64_t *cell_of_local, const int32_t *part_of_local,
                          double *cut) {
    struct caucus_cluster cluster;
    struct placed_cell *placed = caucus_array(count, sizeof *placed);
    int64_t *cell = caucus_array(count, sizeof *cell);
    int32_t *part = caucus_array(count, sizeof *part);
    int status = placed && cell && part ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status) {
        sort_by_cell(count, cell_of_local, part_of_local, placed, cell, part);
        status = caucus_cluster_init(grid, stencil, count, cell, &cluster);
    }
    if (!status) {
        *cut = caucus_cluster_cut(&cluster, part);
        caucus_cluster_free(&cluster);
    }
    free(placed);
    free(cell);
    free(part);
    return status;
}
