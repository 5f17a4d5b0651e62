/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction over nodes. In the order of ranks where nodes are blocks of them, which _ordered asks
 * for instead of an operation that is commutative.
 *
 * node_aware, for small data:
 *
 *   1. on each node   all copy their operands into node memory, the leader combines them; the root
 *                     leads its own node
 *   2. the leaders    reduce along a postal tree (postal.h), binomial for long data
 *
 * Cost: one synchronization, at most ⌈log2 nodes⌉ rounds.
 *
 * lanes, for large data: the rank i of every node is in lane i, which carries the i-th part of the
 * operand (Träff and Hunold, IEEE Cluster 2020). There are as many lanes as the smallest node has
 * ranks.
 *
 *   1. on each node   reduce-scatter through node memory to the lanes
 *   2. in each lane   reduction over the nodes to root's node: halving, then gathering
 *   3. root's node    the root gathers the parts through node memory
 *
 * Cost: about two synchronizations; the card carries every byte once or twice, driven by all
 * processes. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

void caucus_reduce_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    int32_t leader = caucus_node_leader(task, task->root);
    bool root = task->rank == task->root;
    struct caucus_place combined = caucus_vector_out;
    if (node.local == leader && !root)
        combined = caucus_reserve_scratch(builder, task->bytes);
    builder->schedule.synchronising = task->nodes->largest == 1;
    caucus_node_reduce(builder, &node, leader, caucus_vector_in(task), combined, task->bytes,
                       task->element);
    if (node.local != leader)
        return;
    struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
    caucus_reduce_by_postal(builder, caucus_node_of_rank(task->nodes, task->root), combined,
                            combined, task->bytes, task->commutative);
    caucus_lane_leave(builder, &leaders);
}

double caucus_reduce_node_aware_cost(const struct caucus_task *task,
                                     const struct caucus_model *model) {
    return caucus_node_reduce_cost(task, model, (double)task->volume) +
           caucus_postal_leaders_cost(task, model, true);
}

void caucus_reduce_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    int32_t lanes = task->nodes->smallest, root_node = caucus_node_of_rank(task->nodes, task->root);
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
        caucus_node_allgather(builder, &half, &slices,
                              caucus_local_of_rank(task->nodes, task->root), &part,
                              caucus_vector_out);
    caucus_slices_free(&slices);
}
