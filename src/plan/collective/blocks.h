/* SPDX-License-Identifier: BSD-3-Clause */
/* A block for each rank of a group, somewhere in a buffer: what gathers, scatters and all-to-alls
 * are written over, whether the lengths are equal or not. */
#ifndef CAUCUS_PLAN_COLLECTIVE_BLOCKS_H
#define CAUCUS_PLAN_COLLECTIVE_BLOCKS_H

#include "plan/schedule/builder.h"

struct caucus_blocks {
    struct caucus_place base;
    int64_t bytes;         /* of every block, where length is NULL */
    const int64_t *length; /* of each block */
    const int64_t *offset; /* of each block from base; NULL: equal blocks one after the other */
};

static inline int64_t caucus_block_length(const struct caucus_blocks *blocks, int32_t block) {
    return blocks->length ? blocks->length[block] : blocks->bytes;
}

static inline int64_t caucus_block_offset(const struct caucus_blocks *blocks, int32_t block) {
    return blocks->offset ? blocks->offset[block] : block * blocks->bytes;
}

static inline struct caucus_place caucus_block_place(const struct caucus_blocks *blocks,
                                                     int32_t block) {
    return caucus_at(blocks->base, caucus_block_offset(blocks, block));
}

/* The builder fails: the sum of so many blocks overflows. */
void caucus_blocks_fail_too_long(struct caucus_builder *builder, int32_t count);

/* Blocks one after the other, of lengths[i] bytes, or of bytes each where lengths is NULL; lengths
 * is not copied. Out of memory, or where their sum overflows, the builder fails. To be freed. */
struct caucus_blocks caucus_blocks_in_row(struct caucus_builder *builder, struct caucus_place base,
                                          int32_t count, const int64_t *lengths, int64_t bytes);
void caucus_blocks_free(struct caucus_blocks *blocks);

/* The bytes of all blocks from first to end, exclusive. */
int64_t caucus_blocks_sum(const struct caucus_blocks *blocks, int32_t first, int32_t end);

/* The bytes of count blocks from first on, modulo size. */
int64_t caucus_blocks_sum_around(const struct caucus_blocks *blocks, int32_t size, int32_t first,
                                 int32_t count);

/* Whether the blocks from first to end, exclusive, follow one another without a gap. */
bool caucus_blocks_follow(const struct caucus_blocks *blocks, int32_t first, int32_t end);

/* Whether none of the first count blocks is empty. */
bool caucus_blocks_none_empty(const struct caucus_blocks *blocks, int32_t count);

/* Copies, or combinations, of one step: those that continue one another become one operation. */
struct caucus_copying {
    struct caucus_builder *builder;
    struct caucus_place source, target;
    int64_t length;
    bool combines;
};

void caucus_copying_add(struct caucus_copying *copying, struct caucus_place source,
                        struct caucus_place target, int64_t length);
/* Emits what has not been emitted; the step stays open. */
void caucus_copying_flush(struct caucus_copying *copying);

#endif
