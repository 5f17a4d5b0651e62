/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all, everything at once, in batches so that requests stay bounded.
 *
 *   step j = 0, 1, …   rank r tells r + 32j + 1 … r + 32j + 32, hears r - 32j - 1 … r - 32j - 32
 *   in place: likewise the partners k - r of rounds k = 32j … 32j + 31, each swapping one block
 *
 * Cost: p - 1 messages of one block, with a latency only for each batch. For blocks of some
 * length; any p, blocks of any lengths. */
#include "plan/collective/algorithm.h"
#include "plan/collective/exchange.h"

enum { BATCH = 32 }; /* messages at a time, each way */

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_exchange(builder, task, BATCH);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_exchange_cost(task, model, BATCH);
}

static const char summary[] = "all blocks straight to their ranks, 32 at a time";

const struct caucus_algorithm caucus_alltoall_linear = {
    .collective = CAUCUS_ALLTOALL,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_alltoallv_linear = {
    .collective = CAUCUS_ALLTOALLV,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_alltoallw_linear = {
    .collective = CAUCUS_ALLTOALLW,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};
