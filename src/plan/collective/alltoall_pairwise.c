/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all, one partner at a time.
 *
 *   round k = 1 … p-1   rank r tells r + k and hears r - k (modulo p)
 *   in place: k = 0 … p-1   rank r and k - r swap their blocks
 *
 * Cost: p - 1 rounds of one block: every byte goes straight to its rank, and no rank is sent to by
 * two at a time. For large data; any p, blocks of any lengths. */
#include "plan/collective/algorithm.h"
#include "plan/collective/exchange.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_exchange(builder, task, 1);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_exchange_cost(task, model, 1);
}

static const char summary[] = "p - 1 rounds, in round k to the rank k further and from k before";

const struct caucus_algorithm caucus_alltoall_pairwise = {
    .collective = CAUCUS_ALLTOALL,
    .name = "pairwise",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_alltoallv_pairwise = {
    .collective = CAUCUS_ALLTOALLV,
    .name = "pairwise",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_alltoallw_pairwise = {
    .collective = CAUCUS_ALLTOALLW,
    .name = "pairwise",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};
