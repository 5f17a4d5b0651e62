/* SPDX-License-Identifier: BSD-3-Clause */
/* What caucus_node_scan costs (node_parts.h). */
#ifndef CAUCUS_PLAN_COLLECTIVE_NODE_SCAN_COST_H
#define CAUCUS_PLAN_COLLECTIVE_NODE_SCAN_COST_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"

/* On the largest node; INFINITY where node memory does not suffice. */
double caucus_node_scan_cost(const struct caucus_task *task, const struct caucus_model *model,
                             double bytes);

#endif
