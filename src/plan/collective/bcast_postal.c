/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast along a tree; r counts from the root.
 *
 *   step 1   receive all from the parent
 *   step 2   send all to the roots of r's subtrees, the largest and farthest first (postal.h)
 *
 * postal     The tree that is best where a message takes several times as long as it takes to send
 *            one (A. Bar-Noy and S. Kipnis, "Designing broadcasting algorithms in the postal model
 *            for message-passing systems", Mathematical Systems Theory 1994). Cost: fewer messages
 *            one after the other than a binomial tree, which it becomes for long data, and more at
 *            a rank.
 * binomial   The parent is r without its lowest bit. Cost: ⌈log2 p⌉ rounds of the whole vector.
 *
 * For small data; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void bcast(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                  int64_t bytes, int delay) {
    int32_t size = builder->group.size;
    struct caucus_postal tree;
    caucus_postal_init(&tree, size, caucus_circulant_back(size, builder->group.rank, root), delay);
    if (tree.parent >= 0)
        caucus_emit_receive(builder, caucus_circulant_on(size, tree.parent, root), data, bytes);
    caucus_end_step(builder);
    for (int i = 0; i < tree.children; i++)
        caucus_emit_send(builder, caucus_circulant_on(size, tree.child[i], root), data, bytes);
    caucus_end_step(builder);
}

void caucus_bcast_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                            int64_t bytes) {
    bcast(builder, root, data, bytes, caucus_postal_delay(bytes, false));
}

void caucus_bcast_postal(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_bcast_by_postal(builder, task->root, caucus_vector_out, task->bytes);
}

double caucus_bcast_postal_cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_postal_task_cost(task, model, false);
}

void caucus_bcast_binomial(struct caucus_builder *builder, const struct caucus_task *task) {
    bcast(builder, task->root, caucus_vector_out, task->bytes, CAUCUS_POSTAL_BINOMIAL);
}

double caucus_bcast_binomial_cost(const struct caucus_task *task,
                                  const struct caucus_model *model) {
    return caucus_cost_doubling(task, model, caucus_cost_tree, (double)task->volume, false);
}
