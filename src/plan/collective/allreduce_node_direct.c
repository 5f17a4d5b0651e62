/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce on one node: everybody copies its operand into node memory and combines all of them.
 *
 * Cost: one synchronization; p combinations of the whole operand on every rank. Little data on many
 * ranks goes in two stages of about √p each (node_teams.c). */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = task->ranks == 1 || task->bytes > 0;
    caucus_node_reduce(builder, &node, CAUCUS_EVERYBODY, caucus_vector_in(task), caucus_vector_out,
                       task->bytes, task->element);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_node_reduce_cost(task, model, (double)task->volume);
}

const struct caucus_algorithm caucus_allreduce_node_direct = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_direct",
    .summary = "one node: one synchronization, every rank combines what all copied to node memory",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
