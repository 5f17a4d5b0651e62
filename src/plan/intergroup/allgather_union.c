/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups as one over the union of both, by nodes: for small data, and for
 * nodes that have ranks of both groups, which need all blocks anyway.
 *
 *   node_aware   by the leaders of the nodes (allgather_node_aware.c of one group)
 *   lanes        by all ranks of a node, in a ring of nodes each (the same file)
 *   at last      the other group's blocks from scratch to their places
 *
 * Cost: as there, and a copy. A card takes in what other nodes have of both groups, which is the
 * least where all nodes are mixed. Scratch: the blocks of both groups. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/intergroup/algorithms.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* Where no node has ranks of both groups, cards take in data in vain: it is not worth that to gain
 * less than such a part of the time that bytes take, as others may use the network too. */
#define IN_VAIN 0.25

/* The task of one group that has all ranks; lengths are owned, NULL where there is no memory. */
struct whole {
    struct caucus_task task;
    int64_t *length;
    int64_t other_begin, other_bytes;
};

static struct whole whole_of(const struct caucus_task *task) {
    struct caucus_group_side sides[] = {caucus_own_side(task), caucus_other_side(task)};
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
        caucus_allgather_over_nodes(builder, &whole.task, all, in_lanes ? task->nodes->smallest : 1,
                                    in_lanes);
        caucus_end_step(builder);
        caucus_emit_copy(builder, caucus_at(all, whole.other_begin), out, whole.other_bytes);
        caucus_end_step(builder);
    }
    free(whole.length);
}

static double cost_by(const struct caucus_task *task, const struct caucus_model *model,
                      caucus_algorithm_cost *whole_cost) {
    struct whole whole = whole_of(task);
    double seconds = INFINITY;
    if (whole.length && !too_long(&whole)) {
        int64_t own = whole.task.volume - whole.other_bytes;
        int64_t longer = own > whole.other_bytes ? own : whole.other_bytes;
        seconds = whole_cost(&whole.task, model) + caucus_cost_copy(model, (double)longer);
        struct caucus_task empty = whole.task;
        empty.receive_bytes = NULL;
        empty.bytes = empty.volume = 0;
        if (caucus_intergroup_nodes_apart(task))
            seconds += IN_VAIN * (seconds - whole_cost(&empty, model));
    }
    free(whole.length);
    return seconds;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model,
                   bool in_lanes) {
    return cost_by(task, model,
                   in_lanes ? caucus_allgather_lanes_cost : caucus_allgather_node_aware_cost);
}

CAUCUS_INTERGROUP_ONE_OF(allgather_node_aware, emit, cost, false)
CAUCUS_INTERGROUP_ONE_OF(allgather_lanes, emit, cost, true)
