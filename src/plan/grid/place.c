/* SPDX-License-Identifier: BSD-3-Clause */
/* Top-down: the node's cells are divided among its packages, then those of each package among its
 * caches, each time by the least weight between the parts (cluster.h). Inside the last parts, cells
 * and ranks are paired in ascending order.
 *
 * A good division into packages can, rarely, leave a worse one into caches than the ascending order
 * had. Then the first levels keep that order, as many as it takes for no level to be worse.
 *
 * Where local rank 0 is to get the lowest cell, the parts of one size change roles if need be,
 * which costs nothing; where there is none of that size, two cells change places. O(links * parts *
 * orders of the axes): at most about a millisecond for 128 cells and 3 axes. */
#include "plan/grid/place.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/cluster.h"

#include <stdlib.h>
#include <string.h>

struct placement {
    struct caucus_cluster cluster;
    int levels;
    const int32_t *const *part_of_local;
    bool keep_first;
    double *before, *after; /* the cut of each level, cells and locals paired in ascending order, or
                               as they are placed */
    int32_t groups;         /* what the levels so far made, numbered from 0 */
    /* Below, [count] each; every group has as many cells as locals. */
    int32_t *group_of_cell, *group_of_local;
    int32_t *next_of_cell, *next_of_local; /* the groups of the level at work */
    int32_t *start, *members, *locals;     /* of all groups: [count + 2], [count], [count] */
    int32_t *part, *size, *number;         /* of one group's division */
    int32_t *label, *local_of_cell;
};

enum { ARRAYS = 12 };

/* What the cut grows by if a position and `first`, which is in the given part, exchange their
 * parts, but for what is the same for all positions; label has the part of a group's positions, -1
 * elsewhere. */
static double growth(const struct placement *placement, int32_t position, int32_t first,
                     int32_t part) {
    const struct caucus_cluster *cluster = &placement->cluster;
    const int32_t *label = placement->label;
    double weight = 0;
    for (int64_t link = cluster->link_start[position]; link < cluster->link_start[position + 1];
         link++) {
        int32_t other = cluster->link_to[link];
        bool held = label[other] == label[position] || other == first; /* that one goes as well */
        weight += held ? cluster->link_weight[link] : 0;
        weight -= !held && label[other] == part ? cluster->link_weight[link] : 0;
    }
    return weight;
}

/* Exchanges the parts of the first member and of that one in part 0 for which it costs least. */
static void exchange_first(struct placement *placement, int count, const int32_t *members) {
    int32_t *part = placement->part, from = part[0];
    int best = 0;
    double least = 0;
    for (int i = 0; i < placement->cluster.count; i++)
        placement->label[i] = -1;
    for (int i = 0; i < count; i++)
        placement->label[members[i]] = part[i];
    for (int i = 1; i < count; i++) {
        if (part[i] != 0)
            continue;
        double weight = growth(placement, members[i], members[0], from);
        if (best == 0 || weight < least) {
            best = i;
            least = weight;
        }
    }
    part[0] = 0;
    part[best] = from;
}

/* Of a group that has local rank 0 and the lowest cell, both are to be in part 0: the first member
 * is that cell. */
static void keep_first(struct placement *placement, int count, const int32_t *members) {
    int32_t *part = placement->part, from = part[0];
    if (from == 0)
        return;
    if (placement->size[from] != placement->size[0]) {
        exchange_first(placement, count, members);
        return;
    }
    for (int i = 0; i < count; i++)
        if (part[i] == 0 || part[i] == from)
            part[i] = from - part[i];
}

/* Divides one group by its locals' parts into new groups from first on; returns how many. */
static int32_t divide_group(struct placement *placement, int level, int32_t group, bool keep,
                            int32_t first) {
    const int32_t *label = placement->part_of_local[level];
    const int32_t *members = placement->members + placement->start[group];
    const int32_t *locals = placement->locals + placement->start[group];
    int count = placement->start[group + 1] - placement->start[group];
    int32_t parts = 0;
    for (int i = 0; i < count; i++) {
        int32_t *number = &placement->number[label[locals[i]]];
        if (*number < 0) {
            *number = parts;
            placement->size[parts++] = 0;
        }
        placement->part[i] = *number;
        placement->size[*number]++;
        placement->next_of_local[locals[i]] = first + *number;
    }
    for (int i = 0; i < count; i++)
        placement->number[label[locals[i]]] = -1;
    if (!keep)
        caucus_cluster_split(&placement->cluster, count, members, parts, placement->size,
                             placement->part);
    if (placement->keep_first && group == 0)
        keep_first(placement, count, members);
    for (int i = 0; i < count; i++)
        placement->next_of_cell[members[i]] = first + placement->part[i];
    return parts;
}

/* Each group has as many cells as locals, so both lists have the same starts. */
static void list_members(struct placement *placement) {
    int count = placement->cluster.count;
    caucus_list_by(count, placement->group_of_cell, placement->groups, placement->start,
                   placement->members);
    caucus_list_by(count, placement->group_of_local, placement->groups, placement->start,
                   placement->locals);
}

static void swap(int32_t **a, int32_t **b) {
    int32_t *kept = *a;
    *a = *b;
    *b = kept;
}

/* Divides all levels, the first ones of them as the cells come, and pairs cells with locals. */
static void divide_levels(struct placement *placement, int keep_levels) {
    int count = placement->cluster.count;
    memset(placement->group_of_cell, 0, (size_t)count * sizeof(int32_t));
    memset(placement->group_of_local, 0, (size_t)count * sizeof(int32_t));
    placement->groups = 1;
    for (int level = 0; level < placement->levels; level++) {
        int32_t groups = 0;
        list_members(placement);
        for (int32_t group = 0; group < placement->groups; group++)
            groups += divide_group(placement, level, group, level < keep_levels, groups);
        placement->groups = groups;
        swap(&placement->group_of_cell, &placement->next_of_cell);
        swap(&placement->group_of_local, &placement->next_of_local);
    }
    list_members(placement);
    for (int i = 0; i < count; i++)
        placement->local_of_cell[placement->members[i]] = placement->locals[i];
}

/* Works out the cuts; whether no level's is larger after than before. */
static bool no_level_worse(struct placement *placement) {
    const struct caucus_cluster *cluster = &placement->cluster;
    for (int level = 0; level < placement->levels; level++) {
        placement->before[level] = caucus_cluster_cut(cluster, placement->part_of_local[level]);
        for (int i = 0; i < cluster->count; i++)
            placement->label[i] = placement->part_of_local[level][placement->local_of_cell[i]];
        placement->after[level] = caucus_cluster_cut(cluster, placement->label);
        if (placement->after[level] > placement->before[level] * (1 + 1e-12))
            return false;
    }
    return true;
}

static int check_parts(int count, int levels, const int32_t *const *part_of_local) {
    for (int level = 0; level < levels; level++)
        for (int i = 0; i < count; i++)
            if (part_of_local[level][i] < 0 || part_of_local[level][i] >= count)
                return caucus_fail(CAUCUS_INTERNAL,
                                   "level %d, local rank %d: part %d of at most %d", level, i,
                                   part_of_local[level][i], count);
    return CAUCUS_OK;
}

static void place_all(struct placement *placement, int32_t *memory) {
    int64_t count = placement->cluster.count;
    int32_t **array[ARRAYS] = {
        &placement->group_of_cell, &placement->group_of_local, &placement->next_of_cell,
        &placement->next_of_local, &placement->members,        &placement->locals,
        &placement->part,          &placement->size,           &placement->number,
        &placement->label,         &placement->start,          &placement->local_of_cell};
    for (int i = 0; i < ARRAYS; i++)
        *array[i] = memory + i * (count + 2);
    for (int64_t i = 0; i < count; i++)
        placement->number[i] = -1;
    for (int keep = 0; keep <= placement->levels; keep++) {
        divide_levels(placement, keep);
        if (no_level_worse(placement))
            return;
    }
}

int caucus_grid_place(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      int count, const int64_t *cells, int levels,
                      const int32_t *const *part_of_local, bool keep_first, int64_t *cell_of_local,
                      double *before, double *after) {
    struct placement placement = {.levels = levels,
                                  .part_of_local = part_of_local,
                                  .keep_first = keep_first,
                                  .before = before,
                                  .after = after};
    int status = check_parts(count, levels, part_of_local);
    if (status)
        return status;
    int64_t *sorted = caucus_array_copy(cells, count, sizeof *sorted);
    int32_t *memory = caucus_array(ARRAYS * ((int64_t)count + 2), sizeof *memory);
    if (!sorted || !memory) {
        free(sorted);
        free(memory);
        return CAUCUS_NO_MEMORY;
    }
    caucus_sort_cells(count, sorted);
    status = caucus_cluster_init(grid, stencil, count, sorted, &placement.cluster);
    if (!status) {
        place_all(&placement, memory);
        for (int i = 0; i < count; i++)
            cell_of_local[placement.local_of_cell[i]] = sorted[i];
        caucus_cluster_free(&placement.cluster);
    }
    free(sorted);
    free(memory);
    return status;
}
