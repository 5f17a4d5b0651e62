/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction along the tree that is best where a message takes several times as long as it takes to
 * receive one (A. Bar-Noy and S. Kipnis, "Designing broadcasting algorithms in the postal model for
 * message-passing systems", Mathematical Systems Theory 1994, backwards); r counts from the root of
 * a tree, of which there are two if the operation is not commutative (postal_reduce.c).
 *
 *   steps   receive all from the roots of r's subtrees, the nearest first, and put each behind
 *   last    send all to the parent (postal.h)
 *
 * Cost: fewer messages one after the other than a binomial tree, which it becomes for long data,
 * and more at a rank. For small data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_by_postal(builder, task->root, caucus_vector_in(task), caucus_vector_out,
                            task->bytes, task->commutative);
}

void caucus_reduce_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                             struct caucus_place out, int64_t bytes, bool commutative) {
    caucus_postal_reduce(builder, root, in, out, bytes, commutative,
                         caucus_postal_delay(bytes, true));
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    double seconds = caucus_postal_task_cost(task, model, true);
    /* A root in the middle: two smaller trees, then one message more. A root at an end has none. */
    if (!task->commutative && task->ranks > 1)
        seconds += (caucus_cost_message(task, model, bytes) + caucus_cost_reduce(model, bytes)) / 2;
    return seconds;
}

const struct caucus_algorithm caucus_reduce_postal = {
    .collective = CAUCUS_REDUCE,
    .name = "postal",
    .summary = "all data along a tree for messages that are slow to arrive, quick to receive "
               "(Bar-Noy and Kipnis 1994)",
    .emit = emit,
    .cost = cost,
};
