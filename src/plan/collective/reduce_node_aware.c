/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction over nodes.
 *
 *   1. on each node   all copy their operands into node memory, the leader combines them; the root
 *                     leads its own node
 *   2. the leaders    reduce along a postal tree (postal.h), binomial for long data
 *
 * Cost: one synchronization, at most ⌈log2 nodes⌉ rounds. For small data. In the order of ranks
 * where nodes are blocks of them, which _ordered asks for instead of an operation that is
 * commutative. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
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
    caucus_reduce_by_postal(builder, task->nodes->node_of_rank[task->root], combined, combined,
                            task->bytes, task->commutative);
    caucus_lane_leave(builder, &leaders);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_reduce_cost(task, model, bytes) +
           caucus_postal_cost(model, task->nodes->nodes, 1, bytes, true);
}

const struct caucus_algorithm caucus_reduce_node_aware = {
    .collective = CAUCUS_REDUCE,
    .name = "node_aware",
    .summary = "the leader of each node combines its operands, leaders along a postal tree",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_node_aware_ordered = {
    .collective = CAUCUS_REDUCE,
    .name = "node_aware_ordered",
    .summary = "as node_aware, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};
