/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce on one node where all share the work: rank i combines the i-th part of all operands,
 * then everybody gathers the parts.
 *
 * Cost: two synchronizations, more where node memory is short; per byte of the operand a copy in,
 * a combination and a copy out. For large data. */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_node half = caucus_node_half(&node);
    struct caucus_slices slices = caucus_slices_init(builder, task, task->ranks);
    builder->schedule.synchronising = task->ranks == 1 || task->bytes > 0;
    caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), NULL,
                               caucus_vector_out, task->element);
    caucus_node_allgather(builder, &half, &slices, CAUCUS_EVERYBODY, NULL, caucus_vector_out);
    caucus_slices_free(&slices);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, size = task->ranks;
    return caucus_node_reduce_scatter_cost(task, model, bytes, size) +
           caucus_node_allgather_cost(task, model, bytes, size);
}

const struct caucus_algorithm caucus_allreduce_node_memory = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_memory",
    .summary = "one node: each rank combines a part in node memory, all gather the parts",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
