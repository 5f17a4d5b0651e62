/* SPDX-License-Identifier: BSD-3-Clause */
/* Subarrays and distributed arrays, axis by axis, the one along which neighbours are closest first.
 */
#include "run/layout/type_pattern.h"

/* The axes from the closest to the farthest. */
static int axis_at(int order, int axes, int i) {
    return order == MPI_ORDER_FORTRAN ? i : axes - 1 - i;
}

/* Ints: axes, then sizes, parts, starts, and the order; in the large form the middle three lists
 * are apart. */
struct caucus_pattern *caucus_subarray_pattern(const struct caucus_contents *contents,
                                               struct caucus_pattern *child, int64_t extent) {
    int axes = contents->integer[0];
    bool large = contents->larges > 0;
    int order = contents->integer[large ? 1 : 3 * axes + 1];
    int64_t begin = large ? 0 : 1, displacement = 0;
    for (int i = 0; i < axes; i++) {
        int axis = axis_at(order, axes, i);
        int64_t size = caucus_contents_count(contents, begin + axis);
        int64_t part = caucus_contents_count(contents, begin + axes + axis);
        int64_t start = caucus_contents_count(contents, begin + 2 * axes + axis);
        child = caucus_pattern_repeat(child, part, extent);
        displacement += start * extent;
        extent *= size;
    }
    return caucus_pattern_shift(child, displacement);
}

/* One axis of a distributed array: blocks of `block` elements go to the processes in turns. */
struct axis {
    int64_t size, block, processes, coordinate;
};

static struct caucus_pattern *deal(const struct axis *axis, struct caucus_pattern *child,
                                   int64_t extent) {
    int64_t round = axis->block * axis->processes, first = axis->coordinate * axis->block;
    int64_t rest = axis->size > first ? axis->size - first : 0;
    int64_t whole = rest / round, last = rest % round;
    if (last >= axis->block) {
        whole++;
        last = 0;
    }
    struct caucus_part parts[2] = {
        {.displacement = first * extent, .pattern = caucus_pattern_share(child)},
        {.displacement = (first + whole * round) * extent, .pattern = child},
    };
    parts[0].pattern = caucus_pattern_repeat(parts[0].pattern, axis->block, extent);
    parts[0].pattern = caucus_pattern_repeat(parts[0].pattern, whole, round * extent);
    parts[1].pattern = caucus_pattern_repeat(parts[1].pattern, last, extent);
    return caucus_pattern_sequence(2, parts);
}

static int64_t block_of(int64_t size, int64_t processes, int distribution, int argument) {
    if (distribution == MPI_DISTRIBUTE_NONE)
        return size;
    if (argument != MPI_DISTRIBUTE_DFLT_DARG)
        return argument;
    return distribution == MPI_DISTRIBUTE_BLOCK ? (size + processes - 1) / processes : 1;
}

/* Ints: processes, rank, axes, sizes, distributions, arguments, processes of each axis, order; in
 * the large form the sizes are apart. */
struct caucus_pattern *caucus_darray_pattern(const struct caucus_contents *contents,
                                             struct caucus_pattern *child, int64_t extent) {
    int rank = contents->integer[1], axes = contents->integer[2];
    bool large = contents->larges > 0;
    const int *distribution = contents->integer + 3 + (large ? 0 : axes);
    const int *argument = distribution + axes, *processes = argument + axes;
    int order = processes[axes];
    for (int i = 0; i < axes; i++) {
        int at = axis_at(order, axes, i), stride = 1;
        for (int behind = at + 1; behind < axes; behind++) /* ranks are always in the order of C */
            stride *= processes[behind];
        struct axis axis = {.size = caucus_contents_count(contents, (large ? 0 : 3) + at),
                            .processes =
                                distribution[at] == MPI_DISTRIBUTE_NONE ? 1 : processes[at],
                            .coordinate = rank / stride % processes[at]};
        axis.block = block_of(axis.size, axis.processes, distribution[at], argument[at]);
        child = deal(&axis, child, extent);
        extent *= axis.size;
    }
    return child;
}
