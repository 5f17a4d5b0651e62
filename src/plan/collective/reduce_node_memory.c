/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction on one node where all work: rank i combines the i-th part of all operands, then the
 * root gathers the parts.
 *
 * Cost: two synchronizations, more where node memory is short; per byte of the operand a copy in,
 * a combination, and at the root a copy out. For large data. */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_node half = caucus_node_half(&node);
    struct caucus_slices slices = caucus_slices_init(builder, task, task->ranks);
    struct caucus_place scratch =
        caucus_reserve_scratch(builder, caucus_slices_bytes(&slices, task->rank));
    const struct caucus_place *packed = task->rank == task->root ? NULL : &scratch;
    builder->schedule.synchronising = task->ranks == 1;
    caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), packed,
                               caucus_vector_out, task->element);
    caucus_node_allgather(builder, &half, &slices, task->root, packed, caucus_vector_out);
    caucus_slices_free(&slices);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, size = task->ranks;
    return caucus_node_reduce_scatter_cost(task, model, bytes, size) +
           caucus_node_allgather_cost(task, model, bytes, size);
}

const struct caucus_algorithm caucus_reduce_node_memory = {
    .collective = CAUCUS_REDUCE,
    .name = "node_memory",
    .summary = "one node: each rank combines a part in node memory, the root gathers the parts",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
