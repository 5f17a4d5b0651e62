/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast over nodes.
 *
 *   1. root's node    the root, who leads it, copies into node memory, its ranks out of it
 *   2. the leaders    broadcast along a postal tree (postal.h), binomial for long data
 *   3. other nodes    as the first
 *
 * Cost: at most ⌈log2 nodes⌉ rounds and one synchronization. On one node large data goes in pieces
 * (node_spread.c), so that the copies of the root and those of the others run at the same time. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    int32_t leader = caucus_node_leader(task, task->root);
    int32_t root_node = task->nodes->node_of_rank[task->root];
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (node.index == root_node)
        caucus_node_bcast(builder, &node, leader, caucus_vector_out, task->bytes);
    if (node.local == leader) {
        struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
        caucus_bcast_by_postal(builder, root_node, caucus_vector_out, task->bytes);
        caucus_lane_leave(builder, &leaders);
    }
    if (node.index != root_node)
        caucus_node_bcast(builder, &node, leader, caucus_vector_out, task->bytes);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_bcast_cost(task, model, bytes) +
           caucus_postal_cost(model, task->nodes->nodes, 1, bytes, false);
}

const struct caucus_algorithm caucus_bcast_node_aware = {
    .collective = CAUCUS_BCAST,
    .name = "node_aware",
    .summary = "leaders along a postal tree, and through the memory of each node",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};
