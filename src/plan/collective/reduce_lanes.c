/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction over nodes in lanes: the rank i of every node is in lane i, which carries the i-th part
 * of the operand (Träff and Hunold, IEEE Cluster 2020). There are as many lanes as the smallest
 * node has ranks.
 *
 *   1. on each node   reduce-scatter through node memory to the lanes
 *   2. in each lane   reduction over the nodes to root's node: halving, then gathering
 *   3. root's node    the root gathers the parts through node memory
 *
 * Cost: about two synchronizations; the card carries every byte once or twice, driven by all
 * processes. For large data. _ordered: see reduce_node_aware.c. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    int32_t lanes = task->nodes->smallest, root_node = task->nodes->node_of_rank[task->root];
    struct caucus_slices slices = caucus_slices_init(builder, task, lanes);
    int64_t bytes = caucus_slices_bytes(&slices, node.local);
    struct caucus_place part = caucus_reserve_scratch(builder, bytes);
    builder->schedule.synchronising = task->nodes->largest == 1;
    caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), &part, part,
                               task->element);
    if (node.local < lanes) {
        struct caucus_lane lane = caucus_lane_enter(builder, task, node.local, -1);
        caucus_reduce_by_recursive_halving(builder, root_node, part, part, bytes, task->element);
        caucus_lane_leave(builder, &lane);
    }
    if (node.index == root_node)
        caucus_node_allgather(builder, &half, &slices, task->nodes->local_of_rank[task->root],
                              &part, caucus_vector_out);
    caucus_slices_free(&slices);
}

const struct caucus_algorithm caucus_reduce_lanes = {
    .collective = CAUCUS_REDUCE,
    .name = "lanes",
    .summary = "each rank of a node reduces a part between nodes, the rest by node memory",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = caucus_node_lanes_cost,
};

const struct caucus_algorithm caucus_reduce_lanes_ordered = {
    .collective = CAUCUS_REDUCE,
    .name = "lanes_ordered",
    .summary = "as lanes, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = caucus_node_lanes_cost,
};
