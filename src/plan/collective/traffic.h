/* SPDX-License-Identifier: BSD-3-Clause */
/* How heavy an exchange of blocks is, straight between ranks and by nodes: what the cost formulas
 * of all-to-alls and neighbourhoods go by. */
#ifndef CAUCUS_PLAN_COLLECTIVE_TRAFFIC_H
#define CAUCUS_PLAN_COLLECTIVE_TRAFFIC_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the rank and the node that send most. */
struct caucus_traffic_figures {
    double blocks, bytes;              /* of a rank for others */
    double crossing_blocks;            /* of these, for other nodes */
    double copies, copied;             /* blocks and bytes into node memory */
    double regions;                    /* nodes that a node sends to */
    double held;                       /* bytes of a node in its memory */
    double longest;                    /* bytes of a region */
    double node_bytes, crossing_bytes; /* of a node for others: by nodes, straight */
};

/* From task->traffic; where it is not known yet, as if every rank had the same for every other, or,
 * in a neighbourhood, for eight others anywhere. */
void caucus_traffic_measure(const struct caucus_task *task, struct caucus_traffic_figures *figures);

/* Everything straight between ranks. */
double caucus_traffic_cost_straight(const struct caucus_task *task,
                                    const struct caucus_model *model);
/* By node_exchange.h. */
double caucus_traffic_cost_by_nodes(const struct caucus_task *task,
                                    const struct caucus_model *model);

#ifdef __cplusplus
}
#endif

#endif
