/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction along a tree whose subtrees are ranks in a row, the nearest first; r counts from the
 * root of the tree. If the operation is commutative, one tree goes round from the root of the
 * reduction. Else the ranks from the root on make up one tree, and those before it make up another
 * one, whose root, rank 0, sends its result in the end: so operands stay in the order of ranks.
 *
 *   steps   receive all from the roots of r's subtrees, the nearest first, and put each behind
 *   last    send all to the parent (postal.h)
 *
 * postal     The tree that is best where a message takes several times as long as it takes to
 *            receive one (A. Bar-Noy and S. Kipnis, "Designing broadcasting algorithms in the
 *            postal model for message-passing systems", Mathematical Systems Theory 1994,
 *            backwards). Cost: fewer messages one after the other than a binomial tree, which it
 *            becomes for long data, and more at a rank.
 * binomial   Cost: ⌈log2 p⌉ rounds of the whole vector, one more in order.
 *
 * For small data; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

#include <stddef.h>

/* Ranks first to first + size - 1, in the circle. */
struct tree {
    int32_t first, size;
    struct caucus_place in;
    int64_t bytes;
    int delay;
};

/* Returns where this rank's result is. If it is the tree's root, that is out, if this isn't NULL
 * and in isn't there. */
static struct caucus_place combine(struct caucus_builder *builder, const struct tree *tree,
                                   const struct caucus_place *out) {
    int32_t group = builder->group.size;
    int32_t index = caucus_circulant_back(group, builder->group.rank, tree->first);
    struct caucus_postal postal;
    struct caucus_place mine = tree->in, scratch[2];
    caucus_postal_init(&postal, tree->size, index, tree->delay);
    for (int k = 0; k < postal.children && k < 2; k++)
        scratch[k] = caucus_reserve_scratch(builder, tree->bytes);
    for (int k = postal.children - 1; k >= 0; k--) {
        bool last = k == 0 && index == 0 && out && !caucus_same_place(mine, *out);
        struct caucus_place higher = last ? *out : scratch[k % 2];
        int32_t child = caucus_circulant_on(group, postal.child[k], tree->first);
        caucus_emit_receive(builder, child, higher, tree->bytes);
        caucus_end_step(builder);
        caucus_emit_reduce(builder, mine, higher, tree->bytes);
        caucus_end_step(builder);
        mine = higher;
    }
    if (index > 0) {
        int32_t parent = caucus_circulant_on(group, postal.parent, tree->first);
        caucus_emit_send(builder, parent, mine, tree->bytes);
        caucus_end_step(builder);
    }
    return mine;
}

static void finish_root(struct caucus_builder *builder, const struct tree *tree,
                        struct caucus_place out, bool lower_ranks) {
    struct caucus_place lower = {CAUCUS_BUFFER_SCRATCH, 0};
    struct caucus_place mine = combine(builder, tree, &out);
    caucus_emit_copy(builder, mine, out, tree->bytes);
    if (lower_ranks) {
        lower = caucus_reserve_scratch(builder, tree->bytes);
        caucus_emit_receive(builder, 0, lower, tree->bytes);
    }
    caucus_end_step(builder);
    if (lower_ranks)
        caucus_emit_reduce(builder, lower, out, tree->bytes);
    caucus_end_step(builder);
}

static void reduce(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                   struct caucus_place out, int64_t bytes, bool commutative, int delay) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    bool two = !commutative && root > 0;
    struct tree tree = {root, two ? size - root : size, in, bytes, delay};
    if (two && rank < root)
        tree = (struct tree){0, root, in, bytes, delay};
    if (rank == root) {
        finish_root(builder, &tree, out, two);
        return;
    }
    struct caucus_place mine = combine(builder, &tree, NULL);
    if (two && rank == 0)
        caucus_emit_send(builder, root, mine, bytes);
    caucus_end_step(builder);
}

void caucus_reduce_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                             struct caucus_place out, int64_t bytes, bool commutative) {
    reduce(builder, root, in, out, bytes, commutative, caucus_postal_delay(bytes, true));
}

void caucus_reduce_postal(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_by_postal(builder, task->root, caucus_vector_in(task), caucus_vector_out,
                            task->bytes, task->commutative);
}

void caucus_reduce_binomial(struct caucus_builder *builder, const struct caucus_task *task) {
    reduce(builder, task->root, caucus_vector_in(task), caucus_vector_out, task->bytes,
           task->commutative, CAUCUS_POSTAL_BINOMIAL);
}

/* A root in the middle: two smaller trees, then one message more. A root at an end has none. */
static double two_trees_cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    if (task->commutative || task->ranks == 1)
        return 0;
    return (caucus_cost_message(task, model, bytes) + caucus_cost_reduce(model, bytes)) / 2;
}

double caucus_reduce_postal_cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_postal_task_cost(task, model, true) + two_trees_cost(task, model);
}

double caucus_reduce_binomial_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    return caucus_cost_doubling(task, model, caucus_cost_tree, (double)task->volume, true) +
           two_trees_cost(task, model);
}
