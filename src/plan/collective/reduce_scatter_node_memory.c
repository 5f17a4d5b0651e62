/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter on one node: everybody copies its operand into node memory, but for its own block,
 * and combines its own block of all operands.
 *
 * Cost: one synchronization, more where node memory is short; a copy of the operand and p
 * combinations of a block. In place the block is combined elsewhere first: its place may hold
 * operands that are still to be copied. */
#include "plan/collective/algorithms.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

void caucus_reduce_scatter_node_memory(struct caucus_builder *builder,
                                       const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_blocks lengths = {.bytes = task->bytes, .length = task->receive_bytes};
    int64_t own = caucus_task_receive(task, task->rank);
    struct caucus_slices blocks = {.parts = task->ranks, .count = task->ranks};
    blocks.cut = caucus_vector_block_cuts(builder, task);
    if (!blocks.cut)
        return;
    struct caucus_place part =
        task->in_place ? caucus_reserve_scratch(builder, own) : caucus_vector_out;
    builder->schedule.synchronising =
        task->ranks == 1 || caucus_blocks_none_empty(&lengths, task->ranks);
    caucus_node_reduce_scatter(builder, &node, &blocks, caucus_vector_in(task), &part, part,
                               task->element);
    caucus_emit_copy(builder, part, caucus_vector_out, own);
    caucus_end_step(builder);
    caucus_slices_free(&blocks);
}

double caucus_reduce_scatter_node_memory_cost(const struct caucus_task *task,
                                              const struct caucus_model *model) {
    return caucus_node_blocks_cost(task, model, (double)task->volume, 1, task->nodes->largest,
                                   (double)task->node_limit);
}
