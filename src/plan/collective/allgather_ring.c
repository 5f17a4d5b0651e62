/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather around a ring: the blocks of all ranks pass by.
 *
 *   round k = 0 … p-2   rank r sends block r - k to r + 1, receives block r - k - 1 from r - 1
 *
 * Cost: p - 1 rounds of one block: every byte is received once. For large data; any p. Where
 * lengths differ, a round takes as long as the longest of all blocks. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"

#include <math.h>

/* In the first round each sends its own block. */
static void pass_on(struct caucus_builder *builder, const struct caucus_blocks *all,
                    struct caucus_place own) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    int32_t next = caucus_circulant_on(size, rank, 1);
    int32_t previous = caucus_circulant_back(size, rank, 1);
    for (int32_t round = 0; round < size - 1; round++) {
        int32_t passed = caucus_circulant_back(size, rank, round);
        int32_t coming = caucus_circulant_back(size, passed, 1);
        caucus_emit_send(builder, next, round > 0 ? caucus_block_place(all, passed) : own,
                         caucus_block_length(all, passed));
        caucus_emit_receive(builder, previous, caucus_block_place(all, coming),
                            caucus_block_length(all, coming));
        caucus_end_step(builder);
    }
}

void caucus_allgather_by_ring(struct caucus_builder *builder, const struct caucus_blocks *all) {
    pass_on(builder, all, caucus_block_place(all, builder->group.rank));
}

/* The own block is sent from where the user has it, so that the next rank need not wait until it is
 * in its place, which is where a processor has just written. */
void caucus_allgather_ring(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    struct caucus_place own = caucus_block_place(&all, task->rank);
    if (!task->in_place)
        caucus_emit_copy(builder, in, own, caucus_block_length(&all, task->rank));
    pass_on(builder, &all, task->in_place ? own : in);
    caucus_end_step(builder);
    caucus_blocks_free(&all);
}

/* The own block is copied while the first message is on its way. */
double caucus_allgather_ring_cost(const struct caucus_task *task,
                                  const struct caucus_model *model) {
    double block = caucus_allgather_run(task, 1);
    return fmax(caucus_cost_copy(model, block),
                (task->ranks - 1) * caucus_cost_shift(task, model, 1, block));
}
