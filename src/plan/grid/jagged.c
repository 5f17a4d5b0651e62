/* SPDX-License-Identifier: BSD-3-Clause */
/* E. G. Boman, K. D. Devine, M. Deveci et al., "Multi-Jagged: A Scalable Parallel Spatial
 * Partitioning Algorithm", IEEE Transactions on Parallel and Distributed Systems, 2016, for the
 * idea; here with exact counts. A level costs O(count + parts): one walk serves all sets at once,
 * because each keeps its own place. */
#include "plan/grid/jagged.h"

#include <stddef.h>
#include <string.h>

/* A set is named by its first part; it has the parts up to end[first] - 1. */
struct jagged {
    int32_t parts;
    const int32_t *size;
    int32_t *end, *group_end, *left, *taker;
};

/* Marks where the groups of a set end, and how many cells each takes. */
static void divide(struct jagged *jagged, int32_t first, int32_t groups) {
    int32_t parts = jagged->end[first] - first;
    if (groups == 0 || groups > parts)
        groups = parts;
    for (int32_t group = 0; group < groups; group++) {
        int32_t from = first + (int32_t)((int64_t)parts * group / groups);
        int32_t to = first + (int32_t)((int64_t)parts * (group + 1) / groups);
        jagged->group_end[from] = to;
        jagged->left[from] = 0;
        for (int32_t part = from; part < to; part++)
            jagged->left[from] += jagged->size[part];
    }
    jagged->taker[first] = first;
}

/* Divides every set, going through the cells by their order; groups 0 divides into single parts. */
static void cut_level(struct jagged *jagged, int32_t groups, int64_t count, const int32_t *order,
                      int32_t *set_of_cell) {
    for (int32_t first = 0; first < jagged->parts; first = jagged->end[first])
        divide(jagged, first, groups);
    for (int64_t i = 0; i < count; i++) {
        int32_t *set = &set_of_cell[order[i]];
        int32_t *taker = &jagged->taker[*set];
        if (jagged->left[*taker] == 0)
            *taker = jagged->group_end[*taker];
        jagged->left[*taker]--;
        *set = *taker;
    }
    for (int32_t first = 0; first < jagged->parts; first = jagged->end[first])
        jagged->end[first] = jagged->group_end[first];
}

void caucus_jagged_cut(int32_t parts, const int32_t *size, int levels, const int32_t *groups,
                       int64_t count, const int32_t *order, int32_t *memory,
                       int32_t *part_of_cell) {
    struct jagged jagged = {.parts = parts,
                            .size = size,
                            .end = memory,
                            .group_end = memory + parts,
                            .left = memory + 2 * (ptrdiff_t)parts,
                            .taker = memory + 3 * (ptrdiff_t)parts};
    jagged.end[0] = parts;
    memset(part_of_cell, 0, (size_t)count * sizeof *part_of_cell);
    for (int level = 0; level < levels; level++)
        cut_level(&jagged, level + 1 < levels ? groups[level] : 0, count, order + level * count,
                  part_of_cell);
}
