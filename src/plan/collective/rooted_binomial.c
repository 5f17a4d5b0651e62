/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter along a binomial tree. A rank's position v counts from the root on, modulo p;
 * the subtree of v is v … v + 2^i - 1, 2^i being the lowest bit set in v, as far as there are
 * ranks, so its blocks stand in a row and travel as one message.
 *
 *   gather    step 1   v hears v + 1, v + 2, v + 4, … below v + 2^i: of each, all of its subtree
 *             step 2   v tells v - 2^i the blocks of its own subtree
 *   scatter   step 1   v hears v - 2^i: all blocks of its own subtree
 *             step 2   v tells …, v + 4, v + 2, v + 1 below v + 2^i: each all of its subtree
 *
 * The root has them in place where the blocks of a subtree follow one another, else it packs or
 * unpacks them. Where lengths differ, a block of more than 4 KiB that is more than twice as long as
 * the mean goes straight between its rank and the root, after all others of a gather, before those
 * of a scatter, instead of being forwarded and keeping short ones waiting (the remedy is as in
 * Träff, Practical, Distributed, Low Overhead Algorithms for Irregular Gather and Scatter
 * Collectives, Parallel Computing 2018, in a simpler form). Cost: ⌈log2 p⌉ rounds; a byte is
 * forwarded up to log2 p times. For small data; any p, any root. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHILDREN = 31,
    SHORT = 4096, /* bytes that take no longer to forward than a message of their own */
    BATCH = 32    /* requests at a time */
};

struct tree {
    struct caucus_builder *builder;
    bool gathers;
    const struct caucus_blocks *all;
    int32_t size, root;
    int32_t self, end, parent; /* positions: this rank, the end of its subtree; parent -1 at root */
    int32_t children;
    int32_t child[CHILDREN + 1];  /* where their subtrees begin, and the last ends */
    struct caucus_blocks carried; /* all blocks, those that go straight of length 0 */
    int64_t *lengths;             /* owned, of carried */
};

/* What is longer goes straight. */
static int64_t longest_carried(int64_t sum, int32_t size) {
    int64_t most = 2 * (sum / size);
    return most > SHORT ? most : SHORT;
}

static void leave_out_long_blocks(struct tree *tree) {
    int64_t most = longest_carried(caucus_blocks_sum(tree->all, 0, tree->size), tree->size);
    tree->lengths =
        caucus_builder_array(tree->builder, tree->size, sizeof *tree->lengths, "lengths");
    if (!tree->lengths)
        return;
    for (int32_t rank = 0; rank < tree->size; rank++) {
        int64_t length = tree->all->length[rank];
        tree->lengths[rank] = length > most && rank != tree->root ? 0 : length;
    }
    tree->carried.length = tree->lengths;
}

static void find_subtrees(struct tree *tree) {
    int32_t size = tree->size, self = tree->self;
    int64_t span = self & -self;
    if (self == 0)
        for (span = 1; span < size; span *= 2)
            ;
    tree->parent = self == 0 ? -1 : self - (int32_t)span;
    tree->end = self + span < size ? (int32_t)(self + span) : size;
    for (int64_t distance = 1; distance < span && self + distance < size; distance *= 2)
        tree->child[tree->children++] = (int32_t)(self + distance);
    tree->child[tree->children] = tree->end;
}

static int32_t rank_of(const struct tree *tree, int32_t position) {
    return caucus_circulant_on(tree->size, position, tree->root);
}

/* The bytes that travel for positions first to end, exclusive. */
static int64_t sum(const struct tree *tree, int32_t first, int32_t end) {
    return caucus_blocks_sum_around(&tree->carried, tree->size, rank_of(tree, first), end - first);
}

static int64_t subtree_bytes(const struct tree *tree, int32_t child) {
    return sum(tree, tree->child[child], tree->child[child + 1]);
}

/* Whether at the root the blocks of a subtree have no gaps between them. */
static bool is_row(const struct tree *tree, int32_t child) {
    int32_t begin = rank_of(tree, tree->child[child]);
    int32_t count = tree->child[child + 1] - tree->child[child];
    return begin <= tree->size - count &&
           caucus_blocks_follow(&tree->carried, begin, begin + count);
}

/* Copies the blocks of a subtree, between their places at the root and packed, in the open step. */
static void pack(const struct tree *tree, int32_t child, struct caucus_place packed) {
    struct caucus_copying copying = {.builder = tree->builder};
    for (int32_t at = tree->child[child]; at < tree->child[child + 1]; at++) {
        int32_t rank = rank_of(tree, at);
        struct caucus_place place = caucus_block_place(&tree->carried, rank);
        int64_t length = caucus_block_length(&tree->carried, rank);
        caucus_copying_add(&copying, tree->gathers ? packed : place, tree->gathers ? place : packed,
                           length);
        packed.offset += length;
    }
    caucus_copying_flush(&copying);
}

static bool goes_straight(const struct tree *tree, int32_t rank) {
    return caucus_block_length(&tree->carried, rank) != caucus_block_length(tree->all, rank);
}

static void pass_straight(const struct tree *tree) {
    int32_t posted = 0;
    for (int32_t rank = 0; rank < tree->size && tree->lengths; rank++) {
        if (!goes_straight(tree, rank))
            continue;
        caucus_emit_message(tree->builder, !tree->gathers, rank,
                            caucus_block_place(tree->all, rank),
                            caucus_block_length(tree->all, rank));
        if (++posted % BATCH == 0)
            caucus_end_step(tree->builder);
    }
    caucus_end_step(tree->builder);
}

/* Subtrees in the order in which they are spoken to: the smallest first, or the largest. */
static int32_t in_turn(const struct tree *tree, int32_t i) {
    return tree->gathers ? i : tree->children - 1 - i;
}

/* With the children, whose subtrees are at packed; the own block goes from own to here, or back. */
static void pass_subtrees(const struct tree *tree, const struct caucus_place *packed,
                          struct caucus_place own, struct caucus_place here, int64_t length) {
    if (tree->gathers)
        caucus_emit_copy(tree->builder, own, here, length);
    for (int32_t i = 0; i < tree->children; i++) {
        int32_t child = in_turn(tree, i);
        caucus_emit_message(tree->builder, !tree->gathers, rank_of(tree, tree->child[child]),
                            packed[child], subtree_bytes(tree, child));
    }
    if (!tree->gathers)
        caucus_emit_copy(tree->builder, here, own, length);
    caucus_end_step(tree->builder);
}

static void emit_root(const struct tree *tree, struct caucus_place own) {
    struct caucus_place packed[CHILDREN], here = caucus_block_place(tree->all, tree->root);
    int64_t length = caucus_block_length(tree->all, tree->root);
    for (int32_t i = 0; i < tree->children; i++) {
        int32_t child = in_turn(tree, i);
        packed[child] = caucus_block_place(tree->all, rank_of(tree, tree->child[child]));
        if (!is_row(tree, child))
            packed[child] = caucus_reserve_scratch(tree->builder, subtree_bytes(tree, child));
    }
    if (tree->gathers)
        pass_subtrees(tree, packed, own, here, length);
    for (int32_t i = 0; i < tree->children; i++)
        if (!is_row(tree, in_turn(tree, i)))
            pack(tree, in_turn(tree, i), packed[in_turn(tree, i)]);
    pass_straight(tree);
    if (!tree->gathers)
        pass_subtrees(tree, packed, own, here, length);
}

/* What is carried is at packed; what goes straight comes last in a gather, first in a scatter. */
static void pass_parent(const struct tree *tree, struct caucus_place own,
                        struct caucus_place packed) {
    int32_t rank = tree->builder->group.rank;
    for (int turn = 0; turn < 2; turn++)
        if (tree->gathers == (turn == 0))
            caucus_emit_message(tree->builder, tree->gathers, rank_of(tree, tree->parent), packed,
                                sum(tree, tree->self, tree->end));
        else if (goes_straight(tree, rank))
            caucus_emit_message(tree->builder, tree->gathers, tree->root, own,
                                caucus_block_length(tree->all, rank));
    caucus_end_step(tree->builder);
}

static void emit_below(const struct tree *tree, struct caucus_place own) {
    struct caucus_place packed[CHILDREN], here = own;
    int64_t length = caucus_block_length(&tree->carried, tree->builder->group.rank);
    if (tree->children > 0)
        here = caucus_reserve_scratch(tree->builder, sum(tree, tree->self, tree->end));
    for (int32_t i = 0; i < tree->children; i++)
        packed[i] = caucus_at(here, sum(tree, tree->self, tree->child[i]));
    if (!tree->gathers)
        pass_parent(tree, own, here);
    pass_subtrees(tree, packed, own, here, length);
    if (tree->gathers)
        pass_parent(tree, own, here);
}

void caucus_rooted_by_binomial(struct caucus_builder *builder, bool gathers, int32_t root,
                               struct caucus_place own, const struct caucus_blocks *all) {
    int32_t size = builder->group.size;
    struct tree tree = {.builder = builder,
                        .gathers = gathers,
                        .all = all,
                        .size = size,
                        .root = root,
                        .self = caucus_circulant_back(size, builder->group.rank, root),
                        .carried = *all};
    find_subtrees(&tree);
    if (all->length)
        leave_out_long_blocks(&tree);
    if (tree.self == 0)
        emit_root(&tree, own);
    else
        emit_below(&tree, own);
    free(tree.lengths);
}

void caucus_rooted_binomial(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_blocks all = caucus_rooted_blocks(builder, task, caucus_rooted_base(task));
    caucus_rooted_by_binomial(builder, caucus_gathers(task), task->root,
                              caucus_rooted_own(task, &all), &all);
    caucus_blocks_free(&all);
}

/* Where lengths differ, subtrees of short blocks differ little; but the root waits for long ones,
 * which come straight: unless they are known, so much. */
static const double UNEVEN_SHORT = 1.05, UNEVEN_LONG = 1.7;

/* The deepest path: round k carries 2^k blocks over a distance of 2^k. Where nodes are blocks,
 * only the last rank of each 2^k talks, so that the card is not shared beyond the node; else all
 * that do may be on one node, or each with one of its own. */
static double tree_cost(const struct caucus_task *task, const struct caucus_model *model,
                        double block, double times) {
    const struct caucus_node_map *nodes = task->nodes;
    const struct caucus_model few =
        caucus_cost_tree_part(task, model, task->ranks - 1, caucus_cost_rounds(task->ranks));
    double beside = caucus_rooted_sharing(task), seconds = 0;
    bool interleaved = nodes && !nodes->ordered;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2) {
        int64_t blocks = distance < task->ranks - distance ? distance : task->ranks - distance;
        double bytes = (double)blocks * block, senders = task->ranks / (2.0 * (double)distance);
        double sharing = interleaved ? fmax(1, fmin(senders, nodes->largest)) : 1;
        double within = caucus_cost_within(model, times * bytes);
        double between = caucus_cost_between(&few, fmax(times, beside) * bytes, sharing);
        if (nodes && (nodes->nodes == 1 || (nodes->ordered && 2 * distance <= nodes->largest)))
            seconds += within;
        else
            seconds += interleaved ? fmax(within, between) : between;
    }
    return seconds;
}

double caucus_rooted_binomial_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    double mean = (double)task->volume / task->ranks;
    if (!caucus_task_irregular(task->collective))
        return tree_cost(task, model, mean, 1);
    if (!caucus_rooted_lengths(task))
        return tree_cost(task, model, mean, 2 * mean > SHORT ? UNEVEN_LONG : UNEVEN_SHORT);
    const struct caucus_rooted_load straight =
        caucus_rooted_load_above(task, longest_carried(task->volume, task->ranks));
    double carried = (double)task->volume - straight.bytes, seconds = 0;
    if (carried > 0)
        seconds += tree_cost(task, model, carried / task->ranks, UNEVEN_SHORT);
    if (straight.blocks > 0)
        seconds += caucus_rooted_straight_cost(task, model, &straight);
    return seconds;
}
