/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups by dissemination over the union of both, ranks of the groups by
 * turns: each forwards what the other group still needs (worked out for this library; the pattern
 * is that of Bruck, Ho, Kipnis, Upfal and Weathersby, IEEE TPDS 1997).
 *
 *   circle   A_i has the key (2i + 1)q, B_j has the key (2j + 1)p; ascending, N = p + q ranks
 *   round d = 1, 2, 4, …   v hears v + d: of the blocks of v + d … v + 2d - 1 those that v needs,
 *                          or v - 2d, v - 4d, … in later rounds
 *   at last  the other group's blocks go to their places
 *
 * Blocks arrive in scratch, one row a round. What is sent is put together first where it is not in
 * a row. Cost: ⌈log2(p + q)⌉ rounds, about 1.5 times the bytes. For small data; any p, q and
 * lengths. */
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"
#include "plan/intergroup/algorithms.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

struct circle {
    int32_t size, self; /* self: this rank's place */
    int32_t *rank;      /* [place]: in the union */
    struct caucus_group_side own, other;
    struct caucus_place *have; /* [distance from self]: where its block is */
    struct caucus_builder *builder;
};

static bool is_own(const struct circle *circle, int32_t place) {
    int32_t rank = circle->rank[place];
    return rank >= circle->own.first && rank < circle->own.first + circle->own.ranks;
}

static int64_t block(const struct circle *circle, int32_t place) {
    int32_t rank = circle->rank[place];
    return is_own(circle, place) ? caucus_group_block(&circle->own, rank - circle->own.first)
                                 : caucus_group_block(&circle->other, rank - circle->other.first);
}

static int32_t on(const struct circle *circle, int32_t place, int64_t distance) {
    return (int32_t)((place + distance) % circle->size);
}

static int32_t back(const struct circle *circle, int32_t place, int64_t distance) {
    return (int32_t)((place + circle->size - distance) % circle->size);
}

/* Merges both groups by their keys; the first group comes first where they are equal. */
static void fill_circle(struct circle *circle, const struct caucus_task *task) {
    int64_t p = task->first_group, q = task->ranks - p, i = 0, j = 0;
    for (int32_t place = 0; place < task->ranks; place++) {
        bool first = j == q || (i < p && (2 * i + 1) * q <= (2 * j + 1) * p);
        circle->rank[place] = (int32_t)(first ? i++ : p + j++);
        if (circle->rank[place] == task->rank)
            circle->self = place;
    }
}

/* Whether the rank at a place gets the block from so far ahead, in the round of distance. */
static bool is_needed(const struct circle *circle, int32_t place, int64_t ahead, int64_t distance) {
    int32_t origin = on(circle, place, ahead);
    for (int64_t from = ahead; from < circle->size; from += 2 * distance)
        if (is_own(circle, back(circle, origin, from)) != is_own(circle, origin))
            return true;
    return false;
}

static int64_t round_end(const struct circle *circle, int64_t distance) {
    return 2 * distance < circle->size ? 2 * distance : circle->size;
}

/* The blocks that a place gets in a round, together. */
static int64_t round_bytes(const struct circle *circle, int32_t place, int64_t distance) {
    int64_t bytes = 0;
    for (int64_t ahead = distance; ahead < round_end(circle, distance); ahead++)
        if (is_needed(circle, place, ahead, distance))
            bytes += block(circle, on(circle, place, ahead));
    return bytes;
}

/* Where the blocks for the rank distance before this one are in a row, if need be after a step that
 * puts them there. */
static struct caucus_place put_together(const struct circle *circle, int64_t distance,
                                        int64_t bytes) {
    struct caucus_builder *builder = circle->builder;
    int32_t to = back(circle, circle->self, distance);
    struct caucus_place first = {CAUCUS_BUFFER_IN, 0}, row;
    int64_t length = 0;
    bool straight = true;
    for (int64_t ahead = distance; ahead < round_end(circle, distance); ahead++) {
        struct caucus_place at = circle->have[ahead - distance];
        int64_t more = block(circle, on(circle, to, ahead));
        if (more == 0 || !is_needed(circle, to, ahead, distance))
            continue;
        if (length == 0)
            first = at;
        straight = straight && at.buffer == first.buffer && at.offset == first.offset + length;
        length += more;
    }
    if (straight)
        return first;
    row = caucus_reserve_scratch(builder, bytes);
    struct caucus_copying copying = {.builder = builder};
    length = 0;
    for (int64_t ahead = distance; ahead < round_end(circle, distance); ahead++) {
        int64_t more = block(circle, on(circle, to, ahead));
        if (!is_needed(circle, to, ahead, distance))
            continue;
        caucus_copying_add(&copying, circle->have[ahead - distance], caucus_at(row, length), more);
        length += more;
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
    return row;
}

static void emit_round(const struct circle *circle, int64_t distance) {
    int32_t to = back(circle, circle->self, distance);
    int32_t from = on(circle, circle->self, distance);
    int64_t sent = round_bytes(circle, to, distance);
    int64_t received = round_bytes(circle, circle->self, distance), length = 0;
    struct caucus_place source = put_together(circle, distance, sent);
    struct caucus_place row = caucus_reserve_scratch(circle->builder, received);
    for (int64_t ahead = distance; ahead < round_end(circle, distance); ahead++) {
        circle->have[ahead] = caucus_at(row, length);
        if (is_needed(circle, circle->self, ahead, distance))
            length += block(circle, on(circle, circle->self, ahead));
    }
    caucus_emit_receive(circle->builder, circle->rank[from], row, received);
    caucus_emit_send(circle->builder, circle->rank[to], source, sent);
    caucus_end_step(circle->builder);
}

static void put_in_place(const struct circle *circle, struct caucus_blocks *blocks) {
    struct caucus_copying copying = {.builder = circle->builder};
    for (int32_t ahead = 1; ahead < circle->size; ahead++) {
        int32_t place = on(circle, circle->self, ahead);
        if (!is_own(circle, place))
            caucus_copying_add(
                &copying, circle->have[ahead],
                caucus_block_place(blocks, circle->rank[place] - circle->other.first),
                block(circle, place));
    }
    caucus_copying_flush(&copying);
    caucus_end_step(circle->builder);
}

/* Arrays are to be freed, and are NULL where there is no memory. */
static struct circle circle_of(const struct caucus_task *task, struct caucus_builder *builder) {
    struct circle circle = {
        .size = task->ranks,
        .own = caucus_own_side(task),
        .other = caucus_other_side(task),
        .rank = caucus_array(task->ranks, sizeof *circle.rank),
        .have = caucus_array(task->ranks, sizeof *circle.have),
        .builder = builder,
    };
    if (circle.rank)
        fill_circle(&circle, task);
    return circle;
}

void caucus_intergroup_allgather_dissemination(struct caucus_builder *builder,
                                               const struct caucus_task *task) {
    struct circle circle = circle_of(task, builder);
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks blocks = caucus_blocks_in_row(builder, out, circle.other.ranks,
                                                       circle.other.length, circle.other.bytes);
    if (!circle.rank || !circle.have) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for a circle of %d ranks",
                            (int)task->ranks);
    } else {
        circle.have[0] = (struct caucus_place){CAUCUS_BUFFER_IN, 0};
        for (int64_t distance = 1; distance < task->ranks; distance *= 2)
            emit_round(&circle, distance);
        put_in_place(&circle, &blocks);
    }
    caucus_blocks_free(&blocks);
    free(circle.rank);
    free(circle.have);
}

/* before[0] and before[1]: the bytes that the blocks at places before one have, of this group and
 * of the other one. The most bytes that a rank gets in a round: all blocks of so many places, or in
 * the last round those of the other group. */
static double longest_row(const struct circle *circle, int64_t *const before[2], int64_t distance) {
    int64_t count = round_end(circle, distance) - distance, most = 0;
    bool last = 2 * distance >= circle->size;
    for (int32_t place = 0; place < circle->size; place++) {
        int32_t first = on(circle, place, distance), end = on(circle, first, count);
        int64_t row[2];
        for (int group = 0; group < 2; group++)
            row[group] = before[group][end] - before[group][first] +
                         (end <= first ? before[group][circle->size] : 0);
        int64_t bytes = last ? row[is_own(circle, place)] : row[0] + row[1];
        most = bytes > most ? bytes : most;
    }
    return (double)most;
}

static double rounds_cost(const struct circle *circle, const struct caucus_task *task,
                          const struct caucus_model *model, int64_t *const before[2]) {
    double seconds = 0, copied = 0;
    /* Next to each other are ranks of different groups, whatever the order of ranks is. */
    bool apart = task->nodes && caucus_intergroup_nodes_apart(task);
    for (int32_t place = 0; place < circle->size; place++)
        for (int other = 0; other < 2; other++)
            before[other][place + 1] =
                before[other][place] + (is_own(circle, place) != other ? block(circle, place) : 0);
    for (int64_t distance = 1; distance < task->ranks; distance *= 2) {
        double bytes = longest_row(circle, before, distance);
        seconds += apart ? caucus_cost_message(task, model, bytes)
                         : caucus_cost_shift(task, model, distance, bytes);
        copied += distance > 1 ? bytes : 0;
    }
    return seconds + 3 * caucus_cost_copy(model, 0) + caucus_cost_copy(model, 2 * copied);
}

double caucus_intergroup_allgather_dissemination_cost(const struct caucus_task *task,
                                                      const struct caucus_model *model) {
    struct circle circle = circle_of(task, NULL);
    int64_t *before[2];
    double seconds = INFINITY;
    for (int other = 0; other < 2; other++)
        before[other] = caucus_array((int64_t)task->ranks + 1, sizeof **before);
    if (circle.rank && before[0] && before[1] && caucus_group_total(&circle.own) >= 0 &&
        caucus_group_total(&circle.other) >= 0)
        seconds = rounds_cost(&circle, task, model, before);
    free(before[0]);
    free(before[1]);
    free(circle.rank);
    free(circle.have);
    return seconds;
}
