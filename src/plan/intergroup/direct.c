/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier and broadcast between two groups in one step, straight to the other group.
 *
 *   barrier   every rank tells all of the other group, and hears them
 *   bcast     the root sends all data to each rank of the other group, 32 at a time
 *
 * Cost: as many messages as a group has ranks. Any p and q. */
#include "plan/collective/cost.h"
#include "plan/intergroup/algorithms.h"

#include <stddef.h>

enum { BATCH = 32 };

/* A message needs a byte; its value means nothing. */
void caucus_intergroup_barrier_direct(struct caucus_builder *builder,
                                      const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct caucus_place said = caucus_reserve_scratch(builder, 1);
    struct caucus_place heard = caucus_reserve_scratch(builder, other.ranks);
    int32_t index = task->rank - own.first;
    for (int32_t k = 0; k < other.ranks; k++) {
        int32_t peer = (int32_t)(((int64_t)index + k) % other.ranks);
        caucus_emit_receive(builder, other.first + peer, caucus_at(heard, peer), 1);
        caucus_emit_send(builder, other.first + peer, said, 1);
    }
    caucus_end_step(builder);
}

void caucus_intergroup_bcast_direct(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_group_side other = caucus_other_side(task);
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    if (task->rank != task->root)
        caucus_emit_receive(builder, task->root, out, task->bytes);
    for (int32_t peer = 0; task->rank == task->root && peer < other.ranks; peer++) {
        caucus_emit_send(builder, other.first + peer, out, task->bytes);
        if (peer % BATCH == BATCH - 1)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

double caucus_intergroup_barrier_direct_cost(const struct caucus_task *task,
                                             const struct caucus_model *model) {
    int32_t messages = caucus_intergroup_larger(task);
    return caucus_cost_burst(task, model, messages, messages, 1);
}

/* The root has its card for itself. */
double caucus_intergroup_bcast_direct_cost(const struct caucus_task *task,
                                           const struct caucus_model *model) {
    struct caucus_task alone = *task;
    int32_t messages = caucus_own_side(task).ranks;
    alone.nodes = NULL;
    return caucus_cost_burst(&alone, model, messages, messages, (double)task->volume);
}
