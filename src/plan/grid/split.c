/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of a few hundred ways to divide a node's cells: as they came, consecutively, or in r
 * slabs (with three axes also r x s pillars, where the parts are equal and their number is divided
 * by r s) that are cut consecutively in turn, for every order of the axes. Beyond four axes only
 * the four longest change their order. A try costs O(links); at most MOST_WORK links are looked
 * at, some ms. */
#include "plan/grid/cluster.h"
#include "plan/grid/jagged.h"
#include "plan/grid/permutation.h"

#include <string.h>

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
    int32_t *trial, *spare, *bucket; /* [count]; buckets for coordinates, [count + 1] */
    int32_t *order;                  /* [LEVELS][count] */
    int32_t *label;                  /* [cluster->count]: the trial, -1 for others */
    int32_t *jagged;                 /* [4 * parts] */
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
    struct caucus_jagged jagged = caucus_jagged_begin(split->parts, split->size, split->jagged);
    memset(split->trial, 0, (size_t)split->count * sizeof *split->trial);
    for (int level = 0; level <= levels; level++)
        caucus_jagged_cut(&jagged, level < levels ? groups[level] : 0, split->count,
                          split->order + level * (int64_t)split->count, split->trial);
    double cut = trial_cut(split, split->trial);
    if (cut < split->cut * (1 - 1e-12)) {
        split->cut = cut;
        memcpy(split->best, split->trial, (size_t)split->count * sizeof *split->best);
    }
}

/* Stable counting sort of members by one coordinate. */
static void sort_by(struct split *split, int axis, const int32_t *from, int32_t *to) {
    const int32_t *coordinate = along(split, axis);
    int32_t low = split->low[axis], buckets = split->high[axis] - low + 1;
    memset(split->bucket, 0, ((size_t)buckets + 1) * sizeof *split->bucket);
    for (int i = 0; i < split->count; i++)
        split->bucket[coordinate[split->members[i]] - low + 1]++;
    for (int32_t value = 0; value < buckets; value++)
        split->bucket[value + 1] += split->bucket[value];
    for (int i = 0; i < split->count; i++)
        to[split->bucket[coordinate[split->members[from[i]]] - low]++] = from[i];
}

/* The members sorted by the axes from position level of axis on, then by those before it. */
static void sort_members(struct split *split, const int *axis, int level) {
    int32_t *order = split->order + level * (int64_t)split->count;
    for (int32_t i = 0; i < split->count; i++)
        split->spare[i] = i;
    for (int j = split->axes - 1; j >= 0; j--) {
        sort_by(split, axis[(level + j) % split->axes], split->spare, order);
        memcpy(split->spare, order, (size_t)split->count * sizeof *order);
    }
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
    int32_t length[CAUCUS_GRID_MAX_DIMS];
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
        if (high == low)
            continue;
        int place = split->axes++;
        for (; place > 0 && length[place - 1] < high - low; place--) {
            length[place] = length[place - 1];
            split->axis[place] = split->axis[place - 1];
        }
        length[place] = high - low;
        split->axis[place] = axis;
    }
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
                          .trial = memory + all,
                          .spare = memory + 2 * all,
                          .label = memory, /* all -1 between splits */
                          .order = memory + 3 * all,
                          .jagged = memory + (3 + LEVELS) * all,
                          .bucket = memory + (7 + LEVELS) * all};
    for (int32_t i = 1; i < parts; i++)
        split.equal = split.equal && size[i] == size[0];
    split.cut = trial_cut(&split, part);
    find_axes(&split);
    if (split.axes > 0)
        try_orders(&split);
    for (int i = 0; i < count; i++)
        split.label[members[i]] = -1;
}
