/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather straight to the root.
 *
 *   step k = 0, 1, …   the root hears ranks root + 32k + 1 … root + 32k + 32 (modulo p)
 *
 * Cost: p - 1 messages at the root, every byte once. For large data, where nothing that is
 * forwarded can be faster, and where only the root knows the lengths; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"

enum { BATCH = 32 }; /* requests at a time */

void caucus_gather_by_linear(struct caucus_builder *builder, int32_t root, struct caucus_place own,
                             int64_t length, const struct caucus_blocks *all) {
    int32_t size = builder->group.size;
    if (builder->group.rank != root) {
        caucus_emit_send(builder, root, own, length);
        caucus_end_step(builder);
        return;
    }
    caucus_emit_copy(builder, own, caucus_block_place(all, root), length);
    for (int32_t distance = 1; distance < size; distance++) {
        int32_t peer = (int32_t)(((int64_t)root + distance) % size);
        caucus_emit_receive(builder, peer, caucus_block_place(all, peer),
                            caucus_block_length(all, peer));
        if (distance % BATCH == 0)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    bool root = task->rank == task->root;
    int64_t length = root ? caucus_block_length(&all, task->root) : task->bytes;
    struct caucus_place own = task->in_place ? caucus_block_place(&all, task->root) : in;
    caucus_gather_by_linear(builder, task->root, own, length, &all);
    caucus_blocks_free(&all);
}

const struct caucus_algorithm caucus_gather_linear = {
    .collective = CAUCUS_GATHER,
    .name = "linear",
    .summary = "p - 1 messages straight to the root: every byte once",
    .emit = emit,
    .cost = caucus_rooted_linear_cost,
};

const struct caucus_algorithm caucus_gatherv_linear = {
    .collective = CAUCUS_GATHERV,
    .name = "linear",
    .summary = "p - 1 messages straight to the root: every byte once",
    .emit = emit,
    .cost = caucus_rooted_linear_cost,
};
