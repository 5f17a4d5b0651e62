/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather by concatenation (Bruck, Ho, Kipnis, Upfal and Weathersby, IEEE TPDS 1997).
 *
 *   round k = 0, 1, …   rank r has blocks r … r + 2^k - 1 (modulo p), in a row in scratch;
 *                       tells r - 2^k the first min(2^k, p - 2^k) of them, hears r + 2^k
 *   at last             everything but the own block from scratch to its place
 *
 * Cost: ⌈log2 p⌉ rounds, every byte received once and copied once. For small data; any p, blocks
 * of any lengths. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"

void caucus_allgather_by_bruck(struct caucus_builder *builder, const struct caucus_blocks *all) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place row =
        caucus_reserve_scratch(builder, caucus_blocks_sum_around(all, size, rank, size));
    int64_t own = caucus_block_length(all, rank), here = own;
    struct caucus_copying copying = {.builder = builder};
    for (int64_t distance = 1; distance < size; distance *= 2) {
        int32_t count = (int32_t)(distance < size - distance ? distance : size - distance);
        int32_t from = (int32_t)((rank + distance) % size);
        bool alone = distance == 1; /* the own block is sent from its place */
        int64_t coming = caucus_blocks_sum_around(all, size, from, count);
        caucus_emit_send(builder, (int32_t)((rank - distance + size) % size),
                         alone ? caucus_block_place(all, rank) : row,
                         caucus_blocks_sum_around(all, size, rank, count));
        caucus_emit_receive(builder, from, caucus_at(row, here), coming);
        if (alone && size > 2)
            caucus_emit_copy(builder, caucus_block_place(all, rank), row, own);
        caucus_end_step(builder);
        here += coming;
    }
    here = own;
    for (int32_t i = 1; i < size; i++) {
        int32_t block = (int32_t)(((int64_t)rank + i) % size);
        int64_t length = caucus_block_length(all, block);
        caucus_copying_add(&copying, caucus_at(row, here), caucus_block_place(all, block), length);
        here += length;
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
}

void caucus_allgather_bruck(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_blocks all = caucus_allgather_begin(builder, task);
    caucus_allgather_by_bruck(builder, &all);
    caucus_blocks_free(&all);
}

double caucus_allgather_bruck_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    double block = (double)task->volume / task->ranks;
    double seconds = 2 * caucus_cost_copy(model, block) + 2 * caucus_cost_copy(model, 0) +
                     (double)task->volume * model->copy_byte;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2) {
        int64_t count = distance < task->ranks - distance ? distance : task->ranks - distance;
        double bytes = caucus_allgather_run(task, (int32_t)count);
        seconds += caucus_cost_shift(task, model, distance, bytes);
    }
    return seconds;
}
