/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast along the tree that is best where a message takes several times as long as it takes to
 * send one (A. Bar-Noy and S. Kipnis, "Designing broadcasting algorithms in the postal model for
 * message-passing systems", Mathematical Systems Theory 1994); r counts from the root.
 *
 *   step 1   receive all from the parent
 *   step 2   send all to the roots of r's subtrees, the largest and farthest first (postal.h)
 *
 * Cost: fewer messages one after the other than a binomial tree, which it becomes for long data,
 * and more at a rank. For small data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_bcast_by_postal(builder, task->root, caucus_vector_out, task->bytes);
}

void caucus_bcast_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                            int64_t bytes) {
    caucus_postal_bcast(builder, root, data, bytes, caucus_postal_delay(bytes, false));
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_postal_task_cost(task, model, false);
}

const struct caucus_algorithm caucus_bcast_postal = {
    .collective = CAUCUS_BCAST,
    .name = "postal",
    .summary = "all data along a tree for messages that are slow to arrive, quick to send (Bar-Noy "
               "and Kipnis 1994)",
    .emit = emit,
    .cost = cost,
};
