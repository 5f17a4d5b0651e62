/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/cluster.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/grid/jagged.h"

#include <stdlib.h>
#include <string.h>

/* The coordinate behind the largest gap of a set that touches both ends of a periodic axis. */
static int32_t behind_gap(int count, const int32_t *coordinate, int32_t *sorted) {
    memcpy(sorted, coordinate, (size_t)count * sizeof *sorted);
    caucus_sort_numbers(count, sorted);
    int32_t first = sorted[0], gap = 1;
    for (int i = 1; i < count; i++)
        if (sorted[i] - sorted[i - 1] > gap) {
            gap = sorted[i] - sorted[i - 1];
            first = sorted[i];
        }
    return first;
}

int caucus_shape_coordinates(const struct caucus_grid *grid, int count, const int64_t *cells,
                             int32_t *coordinate) {
    int32_t *sorted = caucus_array(count, sizeof *sorted);
    if (!sorted)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cells[i], at);
        for (int axis = 0; axis < grid->ndims; axis++)
            coordinate[axis * (int64_t)count + i] = at[axis];
    }
    for (int axis = 0; axis < grid->ndims; axis++) {
        int32_t *along = coordinate + axis * (int64_t)count;
        int32_t size = grid->dims[axis], first = size, last = 0;
        for (int i = 0; i < count; i++) {
            first = along[i] < first ? along[i] : first;
            last = along[i] > last ? along[i] : last;
        }
        if (grid->periodic[axis] && first == 0 && last == size - 1)
            first = behind_gap(count, along, sorted);
        for (int i = 0; i < count; i++)
            along[i] -= along[i] < first ? first - size : first;
    }
    free(sorted);
    return CAUCUS_OK;
}

int32_t caucus_shape_position(int count, const int64_t *cells, int64_t cell) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && cells[low] == cell ? low : -1;
}

/* The position that step k leads to, -1 if that is no other cell of the cluster. */
static int32_t follow(const struct caucus_grid *grid, const struct caucus_stencil *steps,
                      const struct caucus_cluster *cluster, const int *at, int position, int k) {
    int64_t cell = caucus_grid_neighbor(grid, at, caucus_stencil_offset(steps, k));
    return cell < 0 || cell == cluster->cell[position]
               ? -1
               : caucus_shape_position(cluster->count, cluster->cell, cell);
}

static int list_links(const struct caucus_grid *grid, const struct caucus_stencil *steps,
                      struct caucus_cluster *cluster) {
    int count = cluster->count;
    int64_t most = (int64_t)count * (steps->count < count ? steps->count : count), links = 0;
    cluster->link_start = caucus_array((int64_t)count + 1, sizeof *cluster->link_start);
    cluster->link_to = caucus_array(most, sizeof *cluster->link_to);
    cluster->link_weight = caucus_array(most, sizeof *cluster->link_weight);
    if (!cluster->link_start || !cluster->link_to || !cluster->link_weight)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cluster->cell[i], at);
        for (int k = 0; k < steps->count; k++) {
            int32_t other = follow(grid, steps, cluster, at, i, k);
            if (other < 0)
                continue;
            cluster->link_to[links] = other;
            cluster->link_weight[links++] = steps->weight[k];
        }
        cluster->link_start[i + 1] = links;
    }
    return CAUCUS_OK;
}

/* Replaces coordinates by their ranks, so that far ones make no axis long. */
static void compress(int count, int32_t *coordinate, int64_t *key) {
    int32_t rank = 0;
    for (int i = 0; i < count; i++)
        key[i] = (int64_t)coordinate[i] * count + i;
    caucus_sort_cells(count, key);
    for (int i = 0; i < count; i++) {
        rank += i > 0 && key[i] / count != key[i - 1] / count;
        coordinate[key[i] % count] = rank;
    }
}

static int find_coordinates(const struct caucus_grid *grid, struct caucus_cluster *cluster) {
    int64_t count = cluster->count;
    cluster->coordinate = caucus_array(count * grid->ndims, sizeof *cluster->coordinate);
    cluster->memory = caucus_array(9 * count, sizeof *cluster->memory);
    cluster->key = caucus_array(count, sizeof *cluster->key);
    if (!cluster->coordinate || !cluster->memory || !cluster->key)
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < count; i++)
        cluster->memory[i] = -1;
    int status = caucus_shape_coordinates(grid, cluster->count, cluster->cell, cluster->coordinate);
    for (int axis = 0; axis < grid->ndims && !status; axis++) {
        int32_t *along = cluster->coordinate + axis * count;
        for (int64_t i = 0; i < count; i++)
            if (along[i] >= count) {
                compress(cluster->count, along, cluster->key);
                break;
            }
    }
    return status;
}

int caucus_cluster_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        int count, const int64_t *cells, struct caucus_cluster *cluster) {
    struct caucus_stencil steps;
    *cluster = (struct caucus_cluster){.count = count, .ndims = grid->ndims, .cell = cells};
    int status = caucus_steps_init(grid, stencil, &steps);
    if (status)
        return status;
    status = list_links(grid, &steps, cluster);
    if (!status)
        status = find_coordinates(grid, cluster);
    caucus_stencil_free(&steps);
    if (status)
        caucus_cluster_free(cluster);
    return status;
}

void caucus_cluster_free(struct caucus_cluster *cluster) {
    free(cluster->coordinate);
    free(cluster->link_start);
    free(cluster->link_to);
    free(cluster->link_weight);
    free(cluster->memory);
    free(cluster->key);
    memset(cluster, 0, sizeof *cluster);
}

double caucus_cluster_cut(const struct caucus_cluster *cluster, const int32_t *label) {
    double cut = 0;
    for (int i = 0; i < cluster->count; i++)
        for (int64_t link = cluster->link_start[i]; link < cluster->link_start[i + 1]; link++)
            if (label[cluster->link_to[link]] != label[i])
                cut += cluster->link_weight[link];
    return cut;
}

/* The best of a few hundred ways to divide a node's cells: as they came, consecutively, or in r
 * slabs (with three axes also r x s pillars, where the parts are equal and their number is divided
 * by r s) that are cut consecutively in turn, for every order of the axes. Beyond four axes only
 * the four longest change their order. A try costs O(links); at most MOST_WORK links are looked
 * at, some ms. */
enum { MOST_WORK = 2000000, ORDERED_AXES = 4, LEVELS = 3 };

struct split {
    const struct caucus_cluster *cluster;
    int count;
    const int32_t *members;
    int32_t parts;
    const int32_t *size;
    bool equal;                     /* all sizes */
    int32_t *best;                  /* [count], by member */
    double cut;                     /* of best */
    int axes;                       /* along which the members differ */
    int axis[CAUCUS_GRID_MAX_DIMS]; /* the longest first */
    int32_t low[CAUCUS_GRID_MAX_DIMS], high[CAUCUS_GRID_MAX_DIMS]; /* coordinates, by axis */
    int32_t *trial;                                                /* [count] */
    int32_t *order;                                                /* [LEVELS][count] */
    int32_t *label;  /* [cluster->count]: the trial, -1 for others */
    int32_t *jagged; /* [4 * parts] */
    int64_t work;
};

static const int32_t *along(const struct split *split, int axis) {
    return split->cluster->coordinate + axis * (int64_t)split->cluster->count;
}

static double trial_cut(struct split *split, const int32_t *part) {
    const struct caucus_cluster *cluster = split->cluster;
    double cut = 0;
    for (int i = 0; i < split->count; i++)
        split->label[split->members[i]] = part[i];
    for (int i = 0; i < split->count; i++) {
        int32_t member = split->members[i];
        for (int64_t link = cluster->link_start[member]; link < cluster->link_start[member + 1];
             link++) {
            int32_t other = split->label[cluster->link_to[link]];
            if (other >= 0 && other != part[i])
                cut += cluster->link_weight[link];
        }
        split->work += 1 + cluster->link_start[member + 1] - cluster->link_start[member];
    }
    return cut;
}

/* Cuts level by level into groups[0], groups[1], ... of parts, then into single parts. */
static void try_cuts(struct split *split, int levels, const int32_t *groups) {
    if (split->work > MOST_WORK)
        return;
    caucus_jagged_cut(split->parts, split->size, levels + 1, groups, split->count, split->order,
                      split->jagged, split->trial);
    double cut = trial_cut(split, split->trial);
    if (cut < split->cut * (1 - 1e-12)) {
        split->cut = cut;
        memcpy(split->best, split->trial, (size_t)split->count * sizeof *split->best);
    }
}

/* The members sorted by the axes from position level of axis on, then by those before it. The keys
 * are what cells of their bounding box, which is at most the grid, would be numbered by. */
static void sort_members(struct split *split, const int *axis, int level) {
    int32_t *order = split->order + level * (int64_t)split->count;
    int64_t *key = split->cluster->key;
    for (int i = 0; i < split->count; i++) {
        key[i] = 0;
        for (int j = 0; j < split->axes; j++) {
            int a = axis[(level + j) % split->axes];
            key[i] = key[i] * ((int64_t)split->high[a] - split->low[a] + 1) +
                     along(split, a)[split->members[i]] - split->low[a];
        }
        key[i] = key[i] * split->count + i;
    }
    caucus_sort_cells(split->count, key);
    for (int i = 0; i < split->count; i++)
        order[i] = (int32_t)(key[i] % split->count);
}

static void try_groups(struct split *split) {
    int32_t groups[2] = {0};
    try_cuts(split, 0, groups);
    for (groups[0] = 2; groups[0] < split->parts && split->axes > 1; groups[0]++) {
        try_cuts(split, 1, groups);
        if (split->work > MOST_WORK)
            return;
        if (split->axes < LEVELS || !split->equal)
            continue;
        for (groups[1] = 2; groups[1] * (int64_t)groups[0] < split->parts; groups[1]++)
            if (split->parts % (groups[0] * groups[1]) == 0)
                try_cuts(split, 2, groups);
    }
}

static void try_orders(struct split *split) {
    int moving = split->axes < ORDERED_AXES ? split->axes : ORDERED_AXES;
    int rank[ORDERED_AXES] = {0, 1, 2, 3}, axis[CAUCUS_GRID_MAX_DIMS];
    memcpy(axis, split->axis, sizeof axis);
    do {
        for (int i = 0; i < moving; i++)
            axis[i] = split->axis[rank[i]];
        for (int level = 0; level < LEVELS && level < split->axes; level++)
            sort_members(split, axis, level);
        try_groups(split);
    } while (split->work <= MOST_WORK && caucus_permutation_next(moving, rank));
}

/* Finds the axes along which the members differ. */
static void find_axes(struct split *split) {
    double length[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < split->cluster->ndims; axis++) {
        const int32_t *coordinate = along(split, axis);
        int32_t low = coordinate[split->members[0]], high = low;
        for (int i = 1; i < split->count; i++) {
            int32_t at = coordinate[split->members[i]];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        split->low[axis] = low;
        split->high[axis] = high;
        length[axis] = high - low;
        if (high > low)
            split->axis[split->axes++] = axis;
    }
    caucus_order_axes(split->axes, length, split->axis);
}

void caucus_cluster_split(const struct caucus_cluster *cluster, int count, const int32_t *members,
                          int32_t parts, const int32_t *size, int32_t *part) {
    if (parts < 2 || parts == count)
        return;
    int64_t all = cluster->count;
    int32_t *memory = cluster->memory;
    struct split split = {.cluster = cluster,
                          .count = count,
                          .members = members,
                          .parts = parts,
                          .size = size,
                          .equal = true,
                          .best = part,
                          .label = memory, /* all -1 between splits */
                          .trial = memory + all,
                          .order = memory + 2 * all,
                          .jagged = memory + (2 + LEVELS) * all};
    for (int32_t i = 1; i < parts; i++)
        split.equal = split.equal && size[i] == size[0];
    split.cut = trial_cut(&split, part);
    find_axes(&split);
    if (split.axes > 0)
        try_orders(&split);
    for (int i = 0; i < count; i++)
        split.label[members[i]] = -1;
}
