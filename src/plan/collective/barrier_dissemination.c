/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier by dissemination (Hensgen, Finkel and Manber, Int. J. Parallel Programming 1988).
 *
 *   round k = 0, 1, …   rank r tells r + 2^k and hears r - 2^k (modulo p)
 *
 * After round k a rank has heard, directly or not, of the 2^(k+1) - 1 ranks before it.
 * Cost: ⌈log2 p⌉ rounds of one message each. Any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"

void caucus_barrier_dissemination(struct caucus_builder *builder, const struct caucus_task *task) {
    (void)task;
    caucus_barrier_by_dissemination(builder);
}

/* A message needs a byte; its value means nothing. */
void caucus_barrier_by_dissemination(struct caucus_builder *builder) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place said = caucus_reserve_scratch(builder, 1);
    struct caucus_place heard = caucus_reserve_scratch(builder, 1);
    for (int64_t distance = 1; distance < size; distance *= 2) {
        caucus_emit_receive(builder, (int32_t)((rank - distance + size) % size), heard, 1);
        caucus_emit_send(builder, (int32_t)((rank + distance) % size), said, 1);
        caucus_end_step(builder);
    }
}

double caucus_barrier_dissemination_cost(const struct caucus_task *task,
                                         const struct caucus_model *model) {
    return caucus_cost_doubling(task, model, caucus_cost_shift, 1, false);
}
