/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction on one node: everybody copies its operand into node memory, the root combines them.
 *
 * Cost: one synchronization; the root combines p operands, all others are done when they have
 * copied. Little data on many ranks goes in two stages (node_teams.c). */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = task->ranks == 1;
    caucus_node_reduce(builder, &node, task->root, caucus_vector_in(task), caucus_vector_out,
                       task->bytes, task->element);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_node_reduce_cost(task, model, (double)task->volume);
}

const struct caucus_algorithm caucus_reduce_node_direct = {
    .collective = CAUCUS_REDUCE,
    .name = "node_direct",
    .summary = "one node: one synchronization, the root combines what all copied into node memory",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
