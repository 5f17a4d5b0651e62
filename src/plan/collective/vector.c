/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/vector.h"

#include "plan/collective/blocks.h"

#include <math.h>
#include <stdlib.h>

/* What goes through a link in the time that a message takes besides: some µs at some GB/s. */
enum { BYTES_OF_LATENCY = 16 << 10 };

/* Long enough to keep a link busy, and no more than these: each is a step. */
enum { PIECE_BYTES = 64 << 10, MOST_PIECES = 16 };

int64_t caucus_vector_cut(int64_t bytes, int64_t element, int64_t parts, int64_t index) {
    if (bytes == 0)
        return 0;
    int64_t elements = bytes / element;
    return (elements / parts * index + elements % parts * index / parts) * element;
}

int64_t *caucus_vector_cuts(struct caucus_builder *builder, int64_t bytes, int64_t element,
                            int32_t parts) {
    int64_t *cut = caucus_builder_array(builder, (int64_t)parts + 1, sizeof *cut, "cuts");
    for (int32_t i = 0; cut && i <= parts; i++)
        cut[i] = caucus_vector_cut(bytes, element, parts, i);
    return cut;
}

int64_t *caucus_vector_block_cuts(struct caucus_builder *builder, const struct caucus_task *task) {
    int64_t *cut = caucus_builder_array(builder, (int64_t)task->ranks + 1, sizeof *cut, "cuts");
    if (!cut)
        return NULL;
    for (int32_t i = 0; i < task->ranks; i++) {
        int64_t length = caucus_task_receive(task, i);
        if (length > INT64_MAX / 2 - cut[i]) {
            caucus_blocks_fail_too_long(builder, task->ranks);
            free(cut);
            return NULL;
        }
        cut[i + 1] = cut[i] + length;
    }
    return cut;
}

/* Equal blocks need no array. */
struct caucus_cuts caucus_task_cuts(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_cuts cuts = {0, task->element, task->ranks, NULL};
    if (task->receive_bytes)
        cuts.at = caucus_vector_block_cuts(builder, task);
    else if (task->bytes > INT64_MAX / 2 / task->ranks)
        caucus_blocks_fail_too_long(builder, task->ranks);
    else
        cuts.bytes = task->bytes * task->ranks;
    return cuts;
}

void caucus_cuts_free(struct caucus_cuts *cuts) {
    free((void *)cuts->at);
    cuts->at = NULL;
}

/* Rounds (depth + s) of (latency + bytes / s) are shortest in sum at this s. */
int64_t caucus_vector_segments(int64_t bytes, int64_t element, int64_t segment, int32_t depth) {
    if (bytes == 0)
        return 1;
    int64_t elements = bytes / element, segments;
    if (segment > 0)
        segments = bytes / segment + (bytes % segment > 0);
    else
        segments = (int64_t)sqrt((double)bytes * depth / BYTES_OF_LATENCY);
    segments = segments < elements ? segments : elements;
    return segments > 1 ? segments : 1;
}

int64_t caucus_vector_pieces(double bytes) {
    double pieces = bytes / PIECE_BYTES;
    return pieces < 1 ? 1 : pieces > MOST_PIECES ? MOST_PIECES : (int64_t)pieces;
}

struct caucus_range caucus_vector_piece(struct caucus_range range, int64_t element, int64_t pieces,
                                        int64_t i) {
    int64_t bytes = range.end - range.begin;
    if (i < 0 || i >= pieces)
        return (struct caucus_range){range.begin, range.begin};
    if (pieces == 1)
        return range;
    return (struct caucus_range){
        range.begin + caucus_vector_cut(bytes, element, pieces, i),
        range.begin + caucus_vector_cut(bytes, element, pieces, i + 1),
    };
}
