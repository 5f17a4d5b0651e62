/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather along a binomial tree.
 *
 *   v counts ranks from the root on; 2^i is the lowest bit set in v
 *   step 1   v hears v + 1, v + 2, v + 4, … below v + 2^i: of each, all blocks of its subtree
 *   step 2   v tells v - 2^i the blocks of its own subtree, v … v + 2^i - 1
 *
 * The root receives in place where the blocks of a subtree follow one another, else it unpacks.
 * Where lengths differ, long blocks go straight to the root, after all others (binomial.h; the
 * remedy against forwarding of long blocks is as in Träff, Practical, Distributed, Low Overhead
 * Algorithms for Irregular Gather and Scatter Collectives, Parallel Computing 2018, in a simpler
 * form). Cost: ⌈log2 p⌉ rounds; a byte is forwarded up to log2 p times. For small data; any p, any
 * root.
 */
#include "plan/collective/algorithm.h"
#include "plan/collective/binomial.h"
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"

enum { BATCH = 32 }; /* requests at a time */

static void receive_straight(struct caucus_builder *builder, const struct caucus_binomial *tree,
                             const struct caucus_blocks *all) {
    int32_t posted = 0;
    for (int32_t rank = 0; rank < tree->size && tree->lengths; rank++) {
        if (!caucus_binomial_straight(tree, all, rank))
            continue;
        caucus_emit_receive(builder, rank, caucus_block_place(all, rank),
                            caucus_block_length(all, rank));
        if (++posted % BATCH == 0)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

static void gather_at_root(struct caucus_builder *builder, const struct caucus_binomial *tree,
                           struct caucus_place own, const struct caucus_blocks *all) {
    struct caucus_place packed[CAUCUS_BINOMIAL_CHILDREN];
    caucus_emit_copy(builder, own, caucus_block_place(all, tree->root),
                     caucus_block_length(all, tree->root));
    for (int32_t i = 0; i < tree->children; i++) {
        int32_t first = tree->child[i], end = tree->child[i + 1];
        int32_t peer = caucus_binomial_rank(tree, first);
        int64_t length = caucus_binomial_sum(tree, first, end);
        bool row = caucus_binomial_row(tree, first, end);
        packed[i] = row ? caucus_block_place(all, peer) : caucus_reserve_scratch(builder, length);
        caucus_emit_receive(builder, peer, packed[i], length);
    }
    caucus_end_step(builder);
    for (int32_t i = 0; i < tree->children; i++)
        if (!caucus_binomial_row(tree, tree->child[i], tree->child[i + 1]))
            caucus_binomial_unpack(tree, builder, tree->child[i], tree->child[i + 1], packed[i]);
    receive_straight(builder, tree, all);
}

static void gather_below(struct caucus_builder *builder, const struct caucus_binomial *tree,
                         struct caucus_place own, const struct caucus_blocks *all) {
    int32_t rank = builder->group.rank;
    int64_t carried = caucus_binomial_sum(tree, tree->self, tree->end);
    struct caucus_place packed = own;
    if (tree->children > 0) {
        packed = caucus_reserve_scratch(builder, carried);
        caucus_emit_copy(builder, own, packed, caucus_block_length(&tree->carried, rank));
    }
    for (int32_t i = 0; i < tree->children; i++)
        caucus_emit_receive(
            builder, caucus_binomial_rank(tree, tree->child[i]),
            caucus_at(packed, caucus_binomial_sum(tree, tree->self, tree->child[i])),
            caucus_binomial_sum(tree, tree->child[i], tree->child[i + 1]));
    caucus_end_step(builder);
    caucus_emit_send(builder, caucus_binomial_rank(tree, tree->parent), packed, carried);
    if (caucus_binomial_straight(tree, all, rank))
        caucus_emit_send(builder, tree->root, own, caucus_block_length(all, rank));
    caucus_end_step(builder);
}

void caucus_gather_by_binomial(struct caucus_builder *builder, int32_t root,
                               struct caucus_place own, const struct caucus_blocks *all) {
    struct caucus_binomial tree;
    caucus_binomial_init(&tree, builder, root, all);
    if (tree.self == 0)
        gather_at_root(builder, &tree, own, all);
    else
        gather_below(builder, &tree, own, all);
    caucus_binomial_free(&tree);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    struct caucus_place own = task->in_place ? caucus_block_place(&all, task->root) : in;
    caucus_gather_by_binomial(builder, task->root, own, &all);
    caucus_blocks_free(&all);
}

const struct caucus_algorithm caucus_gather_binomial = {
    .collective = CAUCUS_GATHER,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds along a binomial tree, subtrees in one message",
    .emit = emit,
    .cost = caucus_rooted_binomial_cost,
};

const struct caucus_algorithm caucus_gatherv_binomial = {
    .collective = CAUCUS_GATHERV,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds along a binomial tree; long blocks straight to the root",
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = caucus_rooted_binomial_cost,
};
