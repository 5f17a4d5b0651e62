/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter along a binomial tree.
 *
 *   v counts ranks from the root on; 2^i is the lowest bit set in v
 *   step 1   v hears v - 2^i: the blocks of its own subtree, v … v + 2^i - 1
 *   step 2   v tells …, v + 4, v + 2, v + 1 below v + 2^i: each all blocks of its subtree
 *
 * The root sends in place where the blocks of a subtree follow one another, else it packs them.
 * Where lengths differ, long blocks come straight from the root, before all others (binomial.h,
 * gather_binomial.c). Cost: ⌈log2 p⌉ rounds; a byte is forwarded up to log2 p times. For small
 * data; any p, any root.
 */
#include "plan/collective/algorithm.h"
#include "plan/collective/binomial.h"
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"

enum { BATCH = 32 }; /* requests at a time */

static void send_straight(struct caucus_builder *builder, const struct caucus_binomial *tree,
                          const struct caucus_blocks *all) {
    int32_t posted = 0;
    for (int32_t rank = 0; rank < tree->size && tree->lengths; rank++) {
        if (!caucus_binomial_straight(tree, all, rank))
            continue;
        caucus_emit_send(builder, rank, caucus_block_place(all, rank),
                         caucus_block_length(all, rank));
        if (++posted % BATCH == 0)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

static void scatter_at_root(struct caucus_builder *builder, const struct caucus_binomial *tree,
                            const struct caucus_blocks *all, struct caucus_place own) {
    struct caucus_place packed[CAUCUS_BINOMIAL_CHILDREN];
    for (int32_t i = tree->children; i-- > 0;) {
        int32_t first = tree->child[i], end = tree->child[i + 1];
        packed[i] = caucus_block_place(all, caucus_binomial_rank(tree, first));
        if (caucus_binomial_row(tree, first, end))
            continue;
        packed[i] = caucus_reserve_scratch(builder, caucus_binomial_sum(tree, first, end));
        caucus_binomial_pack(tree, builder, first, end, packed[i]);
    }
    send_straight(builder, tree, all);
    for (int32_t i = tree->children; i-- > 0;)
        caucus_emit_send(builder, caucus_binomial_rank(tree, tree->child[i]), packed[i],
                         caucus_binomial_sum(tree, tree->child[i], tree->child[i + 1]));
    caucus_emit_copy(builder, caucus_block_place(all, tree->root), own,
                     caucus_block_length(all, tree->root));
    caucus_end_step(builder);
}

static void scatter_below(struct caucus_builder *builder, const struct caucus_binomial *tree,
                          const struct caucus_blocks *all, struct caucus_place own) {
    int32_t rank = builder->group.rank;
    int64_t carried = caucus_binomial_sum(tree, tree->self, tree->end);
    struct caucus_place packed =
        tree->children > 0 ? caucus_reserve_scratch(builder, carried) : own;
    bool straight = caucus_binomial_straight(tree, all, rank);
    if (straight)
        caucus_emit_receive(builder, tree->root, own, caucus_block_length(all, rank));
    caucus_emit_receive(builder, caucus_binomial_rank(tree, tree->parent), packed, carried);
    caucus_end_step(builder);
    for (int32_t i = tree->children; i-- > 0;)
        caucus_emit_send(builder, caucus_binomial_rank(tree, tree->child[i]),
                         caucus_at(packed, caucus_binomial_sum(tree, tree->self, tree->child[i])),
                         caucus_binomial_sum(tree, tree->child[i], tree->child[i + 1]));
    if (!straight && tree->children > 0)
        caucus_emit_copy(builder, packed, own, caucus_block_length(all, rank));
    caucus_end_step(builder);
}

void caucus_scatter_by_binomial(struct caucus_builder *builder, int32_t root,
                                const struct caucus_blocks *all, struct caucus_place own) {
    struct caucus_binomial tree;
    caucus_binomial_init(&tree, builder, root, all);
    if (tree.self == 0)
        scatter_at_root(builder, &tree, all, own);
    else
        scatter_below(builder, &tree, all, own);
    caucus_binomial_free(&tree);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, in, task->ranks, task->send_bytes, task->bytes);
    struct caucus_place own = task->in_place ? caucus_block_place(&all, task->root) : out;
    caucus_scatter_by_binomial(builder, task->root, &all, own);
    caucus_blocks_free(&all);
}

const struct caucus_algorithm caucus_scatter_binomial = {
    .collective = CAUCUS_SCATTER,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds along a binomial tree, subtrees in one message",
    .emit = emit,
    .cost = caucus_rooted_binomial_cost,
};

const struct caucus_algorithm caucus_scatterv_binomial = {
    .collective = CAUCUS_SCATTERV,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds along a binomial tree; long blocks straight from the root",
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = caucus_rooted_binomial_cost,
};
