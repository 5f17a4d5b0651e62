/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather around a ring: the blocks of all ranks pass by.
 *
 *   round k = 0 … p-2   rank r sends block r - k to r + 1, receives block r - k - 1 from r - 1
 *
 * Cost: p - 1 rounds of one block: every byte is received once. For large data; any p. Where
 * lengths differ, a round takes as long as the longest of all blocks. */
#include "plan/collective/algorithm.h"
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"

void caucus_allgather_by_ring(struct caucus_builder *builder, const struct caucus_blocks *all) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    for (int32_t round = 0; round < size - 1; round++) {
        int32_t passed = (int32_t)(((int64_t)rank - round + size) % size);
        int32_t coming = (int32_t)(((int64_t)passed - 1 + size) % size);
        caucus_emit_send(builder, (int32_t)(((int64_t)rank + 1) % size),
                         caucus_block_place(all, passed), caucus_block_length(all, passed));
        caucus_emit_receive(builder, (int32_t)(((int64_t)rank - 1 + size) % size),
                            caucus_block_place(all, coming), caucus_block_length(all, coming));
        caucus_end_step(builder);
    }
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_blocks all = caucus_allgather_begin(builder, task);
    caucus_allgather_by_ring(builder, &all);
    caucus_blocks_free(&all);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double block = caucus_allgather_run(task, 1);
    return caucus_cost_copy(model, block) +
           (task->ranks - 1) * caucus_cost_shift(task, model, 1, block);
}

const struct caucus_algorithm caucus_allgather_ring = {
    .collective = CAUCUS_ALLGATHER,
    .name = "ring",
    .summary = "p - 1 rounds of one block to the next rank: every byte received once",
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_allgatherv_ring = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "ring",
    .summary = "p - 1 rounds of one block to the next rank: every byte received once",
    .emit = emit,
    .cost = cost,
};
