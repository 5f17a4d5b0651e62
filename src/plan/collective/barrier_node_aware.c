/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier over nodes.
 *
 *   1. on each node   all raise the flags of their lines, the leader awaits them
 *   2. the leaders    barrier by dissemination
 *   3. on each node   the leader raises its flag, all await it
 *
 * Cost: two synchronizations and ⌈log2 nodes⌉ rounds of messages between nodes. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"

/* The leader knows that all have begun. */
static void arrive(struct caucus_builder *builder, const struct caucus_node *node) {
    struct caucus_place none = {CAUCUS_BUFFER_SCRATCH, 0};
    if (caucus_node_has_teams(node->size, 0, node->limit)) {
        caucus_node_combine_in_teams(builder, node, 0, none, none, 0, 1);
    } else {
        int32_t lines = caucus_reserve_lines(builder, node->size);
        if (node->local == 0)
            caucus_emit_await(builder, lines + 1, node->size - 1, 1);
        else
            caucus_emit_signal(builder, lines + node->local, 1);
    }
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = true;
    if (node.size > 1)
        arrive(builder, &node);
    int32_t released = node.size > 1 ? caucus_reserve_lines(builder, 1) : 0;
    if (node.local > 0) {
        caucus_emit_await(builder, released, 1, 1);
        caucus_end_step(builder);
        return;
    }
    caucus_end_step(builder);
    struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, -1);
    caucus_barrier_by_dissemination(builder);
    caucus_lane_leave(builder, &leaders);
    if (node.size > 1)
        caucus_emit_signal(builder, released, 1);
    caucus_end_step(builder);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    int32_t size = task->nodes->largest;
    double arrival = caucus_node_has_teams(size, 0, task->node_limit)
                         ? caucus_node_teams_cost(model, size, 0)
                         : caucus_node_synchronization(model, size - 1);
    return (size > 1 ? arrival + caucus_node_synchronization(model, 1) : 0) +
           caucus_cost_rounds(task->nodes->nodes) * caucus_cost_between(model, 1, 1);
}

const struct caucus_algorithm caucus_barrier_node_aware = {
    .collective = CAUCUS_BARRIER,
    .name = "node_aware",
    .summary = "flags to the leader of each node, leaders by dissemination, a flag back",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};
