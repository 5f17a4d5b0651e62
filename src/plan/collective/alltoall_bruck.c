/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all by combining (Bruck, Ho, Kipnis, Upfal and Weathersby, IEEE TPDS 1997).
 *
 * Block i of rank r is the one for r + i (modulo p), and moves by the bits of i:
 *
 *   round k = 0, 1, …   rank r packs its blocks i with bit k set, tells r + 2^k, hears r - 2^k
 *   at last             block i has come from r - i, and goes to its place
 *
 * A block is not unpacked between rounds: the next round packs it from where it was received last,
 * which the highest bit of i below k tells.
 * Cost: ⌈log2 p⌉ rounds of about p/2 blocks, so every byte is sent log2(p)/2 times. Scratch: what a
 * round sends, and what every round has received, (1 + ⌈log2 p⌉)/2 times the operand. For small
 * data; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"

#include <stddef.h>

enum { ROUNDS = 31 };

/* How many numbers below i have bit k set. */
static int64_t with_bit(int64_t i, int k) {
    int64_t bit = (int64_t)1 << k, rest = i % (2 * bit);
    return i / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

struct bruck {
    struct caucus_place in, received[ROUNDS];
    int64_t bytes;
    int32_t size, rank;
};

/* Where block i is before round k. */
static struct caucus_place place_of(const struct bruck *bruck, int32_t i, int k) {
    while (--k >= 0)
        if (i >> k & 1)
            return caucus_at(bruck->received[k], with_bit(i, k) * bruck->bytes);
    int64_t peer = ((int64_t)bruck->rank + i) % bruck->size;
    return caucus_at(bruck->in, peer * bruck->bytes);
}

static void round_of(struct caucus_builder *builder, struct bruck *bruck, int k,
                     struct caucus_place packed) {
    struct caucus_copying copying = {.builder = builder};
    int64_t distance = (int64_t)1 << k, bytes = bruck->bytes, size = bruck->size;
    int64_t length = with_bit(size, k) * bytes;
    for (int32_t i = (int32_t)distance; i < size; i++)
        if (i >> k & 1)
            caucus_copying_add(&copying, place_of(bruck, i, k),
                               caucus_at(packed, with_bit(i, k) * bytes), bytes);
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
    bruck->received[k] = caucus_reserve_scratch(builder, length);
    caucus_emit_receive(builder, (int32_t)((bruck->rank - distance + size) % size),
                        bruck->received[k], length);
    caucus_emit_send(builder, (int32_t)((bruck->rank + distance) % size), packed, length);
    caucus_end_step(builder);
}

void caucus_alltoall_bruck(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    struct bruck bruck = {.in = {task->in_place ? CAUCUS_BUFFER_OUT : CAUCUS_BUFFER_IN, 0},
                          .bytes = task->bytes,
                          .size = task->ranks,
                          .rank = task->rank};
    int rounds = caucus_cost_rounds(task->ranks);
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, task->ranks, NULL, task->bytes); /* checks the sum */
    if (builder->status)
        return;
    struct caucus_place packed =
        caucus_reserve_scratch(builder, ((int64_t)task->ranks + 1) / 2 * task->bytes);
    for (int k = 0; k < rounds; k++)
        round_of(builder, &bruck, k, packed);
    for (int32_t i = 0; i < task->ranks; i++) {
        int32_t from = (int32_t)(((int64_t)task->rank - i + task->ranks) % task->ranks);
        caucus_emit_copy(builder, place_of(&bruck, i, rounds), caucus_block_place(&all, from),
                         task->bytes);
    }
    caucus_end_step(builder);
}

/* Copies join into about 3p operations: 2p to pack, p to unpack. */
double caucus_alltoall_bruck_cost(const struct caucus_task *task,
                                  const struct caucus_model *model) {
    double block = (double)task->volume / task->ranks;
    double seconds = 3 * task->ranks * model->operation + (double)task->volume * model->copy_byte;
    for (int k = 0; k < caucus_cost_rounds(task->ranks); k++) {
        double bytes = (double)with_bit(task->ranks, k) * block;
        seconds +=
            caucus_cost_shift(task, model, (int64_t)1 << k, bytes) + bytes * model->copy_byte;
    }
    return seconds;
}
