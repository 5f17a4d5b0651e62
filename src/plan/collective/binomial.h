/* SPDX-License-Identifier: BSD-3-Clause */
/* The binomial tree of gathers and scatters. A rank's position v counts from the root on,
 * modulo p; the subtree of v is v … v + 2^i - 1, 2^i being the lowest bit set in v, as far as there
 * are ranks, so its blocks stand in a row and travel as one message.
 *
 * Where lengths differ, a block of more than 4 KiB that is more than twice as long as the mean goes
 * straight between its rank and the root, instead of being forwarded and keeping short ones
 * waiting. */
#ifndef CAUCUS_PLAN_COLLECTIVE_BINOMIAL_H
#define CAUCUS_PLAN_COLLECTIVE_BINOMIAL_H

#include "plan/collective/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_BINOMIAL_CHILDREN = 31 };

struct caucus_binomial {
    int32_t size, root;
    int32_t self, end, parent; /* positions: this rank, the end of its subtree; parent -1 at root */
    int32_t children;
    int32_t child[CAUCUS_BINOMIAL_CHILDREN + 1]; /* where their subtrees begin, and the last ends */
    struct caucus_blocks carried; /* all blocks, those that go straight of length 0 */
    int64_t *lengths;             /* owned, of carried */
};

void caucus_binomial_init(struct caucus_binomial *tree, struct caucus_builder *builder,
                          int32_t root, const struct caucus_blocks *all);
void caucus_binomial_free(struct caucus_binomial *tree);

static inline int32_t caucus_binomial_rank(const struct caucus_binomial *tree, int32_t position) {
    return (int32_t)(((int64_t)tree->root + position) % tree->size);
}

/* The bytes that travel for positions first to end, exclusive. */
int64_t caucus_binomial_sum(const struct caucus_binomial *tree, int32_t first, int32_t end);

/* Whether at the root these blocks have no gaps between them, so that they need not be packed. */
bool caucus_binomial_row(const struct caucus_binomial *tree, int32_t first, int32_t end);

/* Copies these blocks between their places at the root and packed, in the open step. */
void caucus_binomial_pack(const struct caucus_binomial *tree, struct caucus_builder *builder,
                          int32_t first, int32_t end, struct caucus_place packed);
void caucus_binomial_unpack(const struct caucus_binomial *tree, struct caucus_builder *builder,
                            int32_t first, int32_t end, struct caucus_place packed);

/* Whether a rank's block goes straight. */
static inline bool caucus_binomial_straight(const struct caucus_binomial *tree,
                                            const struct caucus_blocks *all, int32_t rank) {
    return rank != tree->root &&
           caucus_block_length(&tree->carried, rank) != caucus_block_length(all, rank);
}

#ifdef __cplusplus
}
#endif

#endif
