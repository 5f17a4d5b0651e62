/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction and allreduce on one node, by node memory.
 *
 * direct   Everybody copies its operand there, and the root, or everybody, combines all of them.
 *          Cost: one synchronization, p combinations of the whole operand. Little data on many
 *          ranks goes in two stages of about √p each (node_teams.c).
 * memory   All share the work: rank i combines the i-th part of all operands, then the root, or
 *          everybody, gathers the parts. Cost: two synchronizations, more where node memory is
 *          short; per byte of the operand a copy in, a combination and a copy out. For large data.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static int32_t reader_of(const struct caucus_task *task) {
    return task->collective == CAUCUS_REDUCE ? task->root : CAUCUS_EVERYBODY;
}

static bool synchronises(const struct caucus_task *task) {
    return task->ranks == 1 || (task->collective == CAUCUS_ALLREDUCE && task->bytes > 0);
}

void caucus_reduce_node_direct(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = synchronises(task);
    caucus_node_reduce(builder, &node, reader_of(task), caucus_vector_in(task), caucus_vector_out,
                       task->bytes, task->element);
}

double caucus_reduce_node_direct_cost(const struct caucus_task *task,
                                      const struct caucus_model *model) {
    return caucus_node_reduce_cost(task, model, (double)task->volume);
}

void caucus_reduce_node_memory(struct caucus_builder *builder, const struct caucus_task *task) {
    int32_t reader = reader_of(task);
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    struct caucus_slices slices = caucus_slices_init(builder, task, task->ranks);
    struct caucus_place scratch, *packed = NULL;
    if (reader != CAUCUS_EVERYBODY) {
        scratch = caucus_reserve_scratch(builder, caucus_slices_bytes(&slices, task->rank));
        packed = task->rank == reader ? NULL : &scratch;
    }
    builder->schedule.synchronising = synchronises(task);
    caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), packed,
                               caucus_vector_out, task->element);
    caucus_node_allgather(builder, &half, &slices, reader, packed, caucus_vector_out);
    caucus_slices_free(&slices);
}

double caucus_reduce_node_memory_cost(const struct caucus_task *task,
                                      const struct caucus_model *model) {
    double bytes = (double)task->volume, size = task->ranks;
    return caucus_node_reduce_scatter_cost(task, model, bytes, size) +
           caucus_node_allgather_cost(task, model, bytes, size);
}
