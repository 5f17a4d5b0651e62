/* SPDX-License-Identifier: BSD-3-Clause */
/* What gathers and scatters of volume bytes at the root cost, the same in both directions. */
#ifndef CAUCUS_PLAN_COLLECTIVE_ROOTED_H
#define CAUCUS_PLAN_COLLECTIVE_ROOTED_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"

#ifdef __cplusplus
extern "C" {
#endif

double caucus_rooted_linear_cost(const struct caucus_task *task, const struct caucus_model *model);
double caucus_rooted_binomial_cost(const struct caucus_task *task,
                                   const struct caucus_model *model);

#ifdef __cplusplus
}
#endif

#endif
