/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_scan_cost.h"

#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"

#include <math.h>

/* The last rank combines all operands, as in a reduction; but there are no teams that could share
 * that out. */
double caucus_node_scan_cost(const struct caucus_task *task, const struct caucus_model *model,
                             double bytes) {
    double size = task->nodes->largest;
    double reduction = caucus_node_reduce_cost(task, model, bytes);
    if (!isfinite(reduction) ||
        !caucus_node_has_teams(task->nodes->largest, (int64_t)bytes, task->node_limit))
        return reduction;
    return 2 * caucus_cost_copy(model, bytes) + caucus_node_synchronization(model, size) +
           (size - 1) * caucus_cost_reduce(model, bytes);
}
