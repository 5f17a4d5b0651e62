/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups as one over the union of both, by nodes: for small data, and for
 * nodes that have ranks of both groups, which need all blocks anyway.
 *
 *   node_aware   by the leaders of the nodes (allgather_node_aware.c of one group)
 *   lanes        by all ranks of a node, in a ring of nodes each (allgather_lanes.c)
 *   at last      the other group's blocks from scratch to their places
 *
 * Cost: as there, and a copy. A card takes in what other nodes have of both groups, which is the
 * least where all nodes are mixed. Scratch: the blocks of both groups. */
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/intergroup/intergroup.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* Where no node has ranks of both groups, cards take in data in vain: it is not worth that to gain
 * less than such a part of the time that bytes take, as others may use the network too. */
#define IN_VAIN 0.25

extern const struct caucus_algorithm caucus_allgatherv_node_aware, caucus_allgatherv_lanes;

/* The task of one group that has all ranks; lengths are owned, NULL where there is no memory. */
struct whole {
    struct caucus_task task;
    int64_t *length;
    int64_t other_begin, other_bytes;
};

static struct whole whole_of(const struct caucus_task *task) {
    struct caucus_group_blocks sides[] = {caucus_intergroup_own(task),
                                          caucus_intergroup_other(task)};
    struct whole whole = {.task = *task, .length = caucus_array(task->ranks, sizeof *whole.length)};
    for (int side = 0; side < 2 && whole.length; side++)
        for (int32_t i = 0; i < sides[side].ranks; i++)
            whole.length[sides[side].first + i] = caucus_group_block(&sides[side], i);
    int64_t own = caucus_group_total(&sides[0]);
    whole.other_bytes = caucus_group_total(&sides[1]);
    whole.other_begin = sides[1].first > 0 ? own : 0;
    whole.task.collective = CAUCUS_ALLGATHERV;
    whole.task.first_group = 0;
    whole.task.send_bytes = NULL;
    whole.task.receive_bytes = whole.length;
    whole.task.volume = own + whole.other_bytes;
    return whole;
}

static bool too_long(const struct whole *whole) {
    return whole->other_bytes < 0 || whole->task.volume < whole->other_bytes;
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task, bool in_lanes) {
    struct whole whole = whole_of(task);
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    if (!whole.length || too_long(&whole)) {
        caucus_builder_fail(builder, whole.length ? CAUCUS_BAD_ARGUMENT : CAUCUS_NO_MEMORY,
                            "the blocks of %d ranks are too many or too long", (int)task->ranks);
    } else {
        struct caucus_place all = caucus_reserve_scratch(builder, whole.task.volume);
        caucus_allgather_over_nodes_to(builder, &whole.task, all,
                                       in_lanes ? task->nodes->smallest : 1, in_lanes);
        caucus_end_step(builder);
        caucus_emit_copy(builder, caucus_at(all, whole.other_begin), out, whole.other_bytes);
        caucus_end_step(builder);
    }
    free(whole.length);
}

static void emit_leaders(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, false);
}

static void emit_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, true);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model,
                   const struct caucus_algorithm *algorithm) {
    struct whole whole = whole_of(task);
    double seconds = INFINITY;
    if (whole.length && !too_long(&whole)) {
        int64_t own = whole.task.volume - whole.other_bytes;
        int64_t longer = own > whole.other_bytes ? own : whole.other_bytes;
        seconds = algorithm->cost(&whole.task, model) + caucus_cost_copy(model, (double)longer);
        struct caucus_task empty = whole.task;
        empty.receive_bytes = NULL;
        empty.bytes = empty.volume = 0;
        if (caucus_intergroup_nodes_apart(task))
            seconds += IN_VAIN * (seconds - algorithm->cost(&empty, model));
    }
    free(whole.length);
    return seconds;
}

static double cost_leaders(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_model few = caucus_cost_part(model, (double)task->nodes->nodes / task->ranks);
    return cost(task, &few, &caucus_allgatherv_node_aware);
}

static double cost_lanes(const struct caucus_task *task, const struct caucus_model *model) {
    return cost(task, model, &caucus_allgatherv_lanes);
}

static const char leaders[] = "all blocks of both groups by the leaders of the nodes";
static const char lanes[] = "all blocks of both groups in lanes, a ring of nodes each";

const struct caucus_algorithm caucus_intergroup_allgather_node_aware = {
    .collective = CAUCUS_ALLGATHER,
    .name = "node_aware",
    .summary = leaders,
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit_leaders,
    .cost = cost_leaders,
};

const struct caucus_algorithm caucus_intergroup_allgather_lanes = {
    .collective = CAUCUS_ALLGATHER,
    .name = "lanes",
    .summary = lanes,
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit_lanes,
    .cost = cost_lanes,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_node_aware = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "node_aware",
    .summary = leaders,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit_leaders,
    .cost = cost_leaders,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_lanes = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "lanes",
    .summary = lanes,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit_lanes,
    .cost = cost_lanes,
};
