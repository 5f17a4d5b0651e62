/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce over nodes and their lanes: the rank i of every node is in lane i, which carries the
 * i-th part of the operand.
 *
 *   1. on each node   reduce-scatter through node memory to the lanes
 *   2. in each lane   allreduce over the nodes: recursive doubling; in several lanes, which are for
 *                     large data, reduce-scatter and allgather
 *   3. on each node   everybody gathers the parts through node memory
 *
 * This one has one lane, and is for small data; allreduce_lanes.c has many. Cost: two
 * synchronizations, ⌈log2 nodes⌉ rounds. In the order of ranks where nodes are blocks of them,
 * which _ordered asks for instead of an operation that is commutative. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static void pass_lane(struct caucus_builder *builder, const struct caucus_task *task,
                      struct caucus_place part, int64_t bytes, bool is_long) {
    int32_t local = task->nodes->local_of_rank[task->rank];
    struct caucus_lane lane = caucus_lane_enter(builder, task, local, -1);
    if (!is_long)
        caucus_allreduce_by_recursive_doubling(builder, part, part, bytes);
    else if (task->commutative)
        caucus_allreduce_by_circulant(builder, part, part, bytes, task->element);
    else
        caucus_allreduce_by_recursive_halving(builder, part, part, bytes, task->element);
    caucus_lane_leave(builder, &lane);
}

/* What a lane carries is one piece only where its slices are taken in one turn. */
void caucus_allreduce_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                                 int32_t lanes, bool is_long) {
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    struct caucus_slices slices = caucus_slices_init(builder, task, lanes);
    int64_t bytes = caucus_slices_bytes(&slices, node.local);
    struct caucus_place part = caucus_vector_out, *packed = NULL;
    if (slices.count > lanes && lanes > 1) {
        part = caucus_reserve_scratch(builder, bytes);
        packed = &part;
    } else if (lanes > 1 && node.local < slices.count) {
        part.offset = slices.cut[node.local];
    }
    builder->schedule.synchronising = task->nodes->largest == 1 || task->bytes > 0;
    if (lanes == 1)
        caucus_node_reduce(builder, &half, 0, caucus_vector_in(task), part, task->bytes,
                           task->element);
    else
        caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), packed,
                                   caucus_vector_out, task->element);
    if (node.local < lanes)
        pass_lane(builder, task, part, bytes, is_long);
    caucus_node_allgather(builder, &half, &slices, CAUCUS_EVERYBODY, packed, caucus_vector_out);
    caucus_slices_free(&slices);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allreduce_over_nodes(builder, task, 1, false);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_reduce_cost(task, model, bytes) +
           caucus_cost_rounds(task->nodes->nodes) *
               (caucus_cost_between(model, bytes, 1) + caucus_cost_reduce(model, bytes)) +
           caucus_node_bcast_cost(task, model, bytes);
}

const struct caucus_algorithm caucus_allreduce_node_aware = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_aware",
    .summary = "node memory to the leader of each node, leaders by recursive doubling, and back",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_allreduce_node_aware_ordered = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_aware_ordered",
    .summary = "as node_aware, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};
