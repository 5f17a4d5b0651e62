/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/allgather.h"

#include <stddef.h>

struct caucus_blocks caucus_allgather_begin(struct caucus_builder *builder,
                                            const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    if (!task->in_place)
        caucus_emit_copy(builder, in, caucus_block_place(&all, task->rank),
                         caucus_block_length(&all, task->rank));
    caucus_end_step(builder);
    return all;
}

double caucus_allgather_run(const struct caucus_task *task, int32_t count) {
    const int64_t *length = task->receive_bytes;
    uint64_t run = 0, most; /* sums that overflow are refused only when a schedule is made */
    int32_t end = 0;
    if (!length)
        return (double)count * (double)task->volume / task->ranks;
    while (end < count)
        run += (uint64_t)length[end++];
    most = run;
    for (int32_t first = 0; first < task->ranks; first++) {
        end = end < task->ranks ? end : 0;
        run += (uint64_t)length[end++] - (uint64_t)length[first];
        most = run > most ? run : most;
    }
    return (double)most;
}

int32_t caucus_allgather_blocks(const struct caucus_task *task, int64_t bytes) {
    int32_t blocks = 0;
    if (!task->receive_bytes)
        return task->volume / task->ranks > bytes ? task->ranks : 0;
    for (int32_t rank = 0; rank < task->ranks; rank++)
        blocks += task->receive_bytes[rank] > bytes;
    return blocks;
}
