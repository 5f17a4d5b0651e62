/* SPDX-License-Identifier: BSD-3-Clause */
/* An all-to-all of any lengths straight between ranks: what pairwise and linear differ in is how
 * many messages a step has. */
#ifndef CAUCUS_PLAN_COLLECTIVE_EXCHANGE_H
#define CAUCUS_PLAN_COLLECTIVE_EXCHANGE_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* alltoall, alltoallv and alltoallw. */
void caucus_exchange(struct caucus_builder *builder, const struct caucus_task *task, int32_t batch);

/* Where volume says nothing, the lengths that were exchanged do; else 0 bytes. */
double caucus_exchange_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int32_t batch);

#ifdef __cplusplus
}
#endif

#endif
