/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast along a binomial tree; r counts from the root.
 *
 *   step 1   receive all from r without its lowest bit, 2^k
 *   step 2   send all to r + 2^(k-1), …, r + 2, r + 1: the largest subtree first
 *
 * Cost: ⌈log2 p⌉ rounds of the whole vector. For small data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_bcast_by_binomial(builder, task->root, caucus_vector_out, task->bytes);
}

void caucus_bcast_by_binomial(struct caucus_builder *builder, int32_t root,
                              struct caucus_place data, int64_t bytes) {
    caucus_postal_bcast(builder, root, data, bytes, CAUCUS_POSTAL_BINOMIAL);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double seconds = 0;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2)
        seconds += caucus_cost_tree(task, model, distance, (double)task->volume);
    return seconds;
}

const struct caucus_algorithm caucus_bcast_binomial = {
    .collective = CAUCUS_BCAST,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds of all data along a binomial tree",
    .emit = emit,
    .cost = cost,
};
