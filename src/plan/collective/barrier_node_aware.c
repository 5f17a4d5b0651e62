/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier by flags in node memory; on nodes of many ranks they are looked at in two stages of about
 * √p each (node_teams.c).
 *
 * node_lines: on one node, every rank raises the flag of its line, and awaits those of all. Cost:
 * one synchronization.
 *
 * node_aware: over nodes.
 *
 *   1. on each node   all raise the flags of their lines, the leader awaits them
 *   2. the leaders    barrier by dissemination
 *   3. on each node   the leader raises its flag, all await it
 *
 * Cost: two synchronizations and ⌈log2 nodes⌉ rounds of messages between nodes. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"

/* The leader, or everybody, knows that all of the node have begun. */
static void arrive(struct caucus_builder *builder, const struct caucus_node *node, int32_t reader) {
    struct caucus_place none = {CAUCUS_BUFFER_SCRATCH, 0};
    if (node->size == 1)
        return;
    if (caucus_node_has_teams(node->size, 0, node->limit)) {
        caucus_node_combine_in_teams(builder, node, reader, none, none, 0, 1);
        return;
    }
    int32_t lines = caucus_reserve_lines(builder, node->size);
    if (reader != node->local)
        caucus_emit_signal(builder, lines + node->local, 1);
    if (reader == CAUCUS_EVERYBODY)
        caucus_emit_await(builder, lines, node->size, 1);
    else if (reader == node->local)
        caucus_emit_await(builder, lines + 1, node->size - 1, 1);
}

static double arrival_cost(const struct caucus_task *task, const struct caucus_model *model,
                           double lines) {
    int32_t size = task->nodes->largest;
    return caucus_node_has_teams(size, 0, task->node_limit)
               ? caucus_node_teams_cost(model, size, 0)
               : caucus_node_synchronization(model, lines);
}

void caucus_barrier_node_lines(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = true;
    arrive(builder, &node, CAUCUS_EVERYBODY);
    caucus_end_step(builder);
}

double caucus_barrier_node_lines_cost(const struct caucus_task *task,
                                      const struct caucus_model *model) {
    return arrival_cost(task, model, task->ranks);
}

void caucus_barrier_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = true;
    arrive(builder, &node, 0);
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

double caucus_barrier_node_aware_cost(const struct caucus_task *task,
                                      const struct caucus_model *model) {
    int32_t size = task->nodes->largest;
    double arrival = arrival_cost(task, model, size - 1);
    const struct caucus_model few = caucus_cost_lanes_part(task, model, 1);
    return (size > 1 ? arrival + caucus_node_synchronization(model, 1) : 0) +
           caucus_cost_rounds(task->nodes->nodes) * caucus_cost_between(&few, 1, 1);
}
