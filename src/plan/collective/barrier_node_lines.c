/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier of one node: every rank raises the flag of its line, and awaits those of all.
 *
 * Cost: one synchronization, p flags to look at; on nodes of many ranks two of about √p flags each
 * (node_teams.c). */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_place none = {CAUCUS_BUFFER_SCRATCH, 0};
    builder->schedule.synchronising = true;
    if (caucus_node_has_teams(node.size, 0, node.limit)) {
        caucus_node_combine_in_teams(builder, &node, CAUCUS_EVERYBODY, none, none, 0, 1);
    } else if (task->ranks > 1) {
        int32_t lines = caucus_reserve_lines(builder, task->ranks);
        caucus_emit_signal(builder, lines + task->rank, 1);
        caucus_emit_await(builder, lines, task->ranks, 1);
        caucus_end_step(builder);
    }
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_node_has_teams(task->ranks, 0, task->node_limit)
               ? caucus_node_teams_cost(model, task->ranks, 0)
               : caucus_node_synchronization(model, task->ranks);
}

const struct caucus_algorithm caucus_barrier_node_lines = {
    .collective = CAUCUS_BARRIER,
    .name = "node_lines",
    .summary = "one node: every rank raises a flag and awaits those of all",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
