/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/blocks.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

void caucus_blocks_fail_too_long(struct caucus_builder *builder, int32_t count) {
    caucus_builder_fail(builder, CAUCUS_BAD_ARGUMENT,
                        "%d blocks have more than 2^62 bytes together", (int)count);
}

struct caucus_blocks caucus_blocks_in_row(struct caucus_builder *builder, struct caucus_place base,
                                          int32_t count, const int64_t *lengths, int64_t bytes) {
    struct caucus_blocks blocks = {.base = base, .bytes = bytes, .length = lengths};
    if (!lengths) {
        if (count > 0 && bytes > INT64_MAX / 2 / count)
            caucus_blocks_fail_too_long(builder, count);
        return blocks;
    }
    int64_t *offset = caucus_builder_array(builder, (int64_t)count + 1, sizeof *offset, "places");
    if (!offset)
        return (struct caucus_blocks){.base = base};
    for (int32_t i = 0; i < count; i++) {
        if (lengths[i] > INT64_MAX / 2 - offset[i])
            caucus_blocks_fail_too_long(builder, count);
        offset[i + 1] = builder->status ? 0 : offset[i] + lengths[i];
    }
    blocks.offset = offset;
    return blocks;
}

void caucus_blocks_free(struct caucus_blocks *blocks) {
    free((void *)blocks->offset);
    *blocks = (struct caucus_blocks){0};
}

int64_t caucus_blocks_sum(const struct caucus_blocks *blocks, int32_t first, int32_t end) {
    int64_t sum = 0;
    if (!blocks->length)
        return end > first ? (end - first) * blocks->bytes : 0;
    for (int32_t i = first; i < end; i++)
        sum += blocks->length[i];
    return sum;
}

int64_t caucus_blocks_sum_around(const struct caucus_blocks *blocks, int32_t size, int32_t first,
                                 int32_t count) {
    int32_t end = count > size - first ? size : first + count;
    return caucus_blocks_sum(blocks, first, end) +
           caucus_blocks_sum(blocks, 0, count - (end - first));
}

bool caucus_blocks_follow(const struct caucus_blocks *blocks, int32_t first, int32_t end) {
    if (!blocks->offset)
        return true;
    for (int32_t i = first + 1; i < end; i++)
        if (blocks->offset[i] != blocks->offset[i - 1] + caucus_block_length(blocks, i - 1))
            return false;
    return true;
}

bool caucus_blocks_none_empty(const struct caucus_blocks *blocks, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (caucus_block_length(blocks, i) == 0)
            return false;
    return true;
}

static bool continues(struct caucus_place end, int64_t length, struct caucus_place next) {
    return end.buffer == next.buffer && end.offset + length == next.offset;
}

void caucus_copying_add(struct caucus_copying *copying, struct caucus_place source,
                        struct caucus_place target, int64_t length) {
    if (length == 0)
        return;
    if (!continues(copying->source, copying->length, source) ||
        !continues(copying->target, copying->length, target)) {
        caucus_copying_flush(copying);
        copying->source = source;
        copying->target = target;
    }
    copying->length += length;
}

void caucus_copying_flush(struct caucus_copying *copying) {
    if (copying->combines)
        caucus_emit_reduce(copying->builder, copying->source, copying->target, copying->length);
    else
        caucus_emit_copy(copying->builder, copying->source, copying->target, copying->length);
    copying->length = 0;
}
