/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/binomial.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { SHORT = 4096 }; /* bytes that take no longer to forward than a message of their own */

static void leave_out_long_blocks(struct caucus_binomial *tree, struct caucus_builder *builder,
                                  const struct caucus_blocks *all) {
    int64_t mean = caucus_blocks_sum(all, 0, tree->size) / tree->size;
    tree->lengths = caucus_array(tree->size, sizeof *tree->lengths);
    if (!tree->lengths) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %d lengths", (int)tree->size);
        return;
    }
    int64_t most = 2 * mean > SHORT ? 2 * mean : SHORT;
    for (int32_t rank = 0; rank < tree->size; rank++)
        tree->lengths[rank] =
            all->length[rank] > most && rank != tree->root ? 0 : all->length[rank];
    tree->carried.length = tree->lengths;
}

void caucus_binomial_init(struct caucus_binomial *tree, struct caucus_builder *builder,
                          int32_t root, const struct caucus_blocks *all) {
    int32_t size = builder->group.size;
    int32_t self = (int32_t)(((int64_t)builder->group.rank - root + size) % size);
    *tree = (struct caucus_binomial){.size = size, .root = root, .self = self, .carried = *all};
    int64_t span = self & -self;
    if (self == 0)
        for (span = 1; span < size; span *= 2)
            ;
    tree->parent = self == 0 ? -1 : self - (int32_t)span;
    tree->end = self + span < size ? (int32_t)(self + span) : size;
    for (int64_t distance = 1; distance < span && self + distance < size; distance *= 2)
        tree->child[tree->children++] = (int32_t)(self + distance);
    tree->child[tree->children] = tree->end;
    if (all->length)
        leave_out_long_blocks(tree, builder, all);
}

void caucus_binomial_free(struct caucus_binomial *tree) {
    free(tree->lengths);
    tree->lengths = NULL;
}

int64_t caucus_binomial_sum(const struct caucus_binomial *tree, int32_t first, int32_t end) {
    int64_t begin = (int64_t)tree->root + first, past = (int64_t)tree->root + end;
    int64_t size = tree->size;
    if (begin < size && past > size)
        return caucus_blocks_sum(&tree->carried, (int32_t)begin, tree->size) +
               caucus_blocks_sum(&tree->carried, 0, (int32_t)(past - size));
    int64_t wrap = begin < size ? 0 : size;
    return caucus_blocks_sum(&tree->carried, (int32_t)(begin - wrap), (int32_t)(past - wrap));
}

bool caucus_binomial_row(const struct caucus_binomial *tree, int32_t first, int32_t end) {
    int32_t begin = caucus_binomial_rank(tree, first);
    return begin <= tree->size - (end - first) &&
           caucus_blocks_follow(&tree->carried, begin, begin + (end - first));
}

void caucus_binomial_pack(const struct caucus_binomial *tree, struct caucus_builder *builder,
                          int32_t first, int32_t end, struct caucus_place packed) {
    struct caucus_copying copying = {.builder = builder};
    for (int32_t position = first; position < end; position++) {
        int32_t rank = caucus_binomial_rank(tree, position);
        int64_t length = caucus_block_length(&tree->carried, rank);
        caucus_copying_add(&copying, caucus_block_place(&tree->carried, rank), packed, length);
        packed.offset += length;
    }
    caucus_copying_flush(&copying);
}

void caucus_binomial_unpack(const struct caucus_binomial *tree, struct caucus_builder *builder,
                            int32_t first, int32_t end, struct caucus_place packed) {
    struct caucus_copying copying = {.builder = builder};
    for (int32_t position = first; position < end; position++) {
        int32_t rank = caucus_binomial_rank(tree, position);
        int64_t length = caucus_block_length(&tree->carried, rank);
        caucus_copying_add(&copying, packed, caucus_block_place(&tree->carried, rank), length);
        packed.offset += length;
    }
    caucus_copying_flush(&copying);
}
