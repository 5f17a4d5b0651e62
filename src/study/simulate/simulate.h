/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the schedules of all ranks on a machine that need not exist, and tells the time. */
#ifndef CAUCUS_STUDY_SIMULATE_SIMULATE_H
#define CAUCUS_STUDY_SIMULATE_SIMULATE_H

#include "plan/machine/model.h"
#include "plan/machine/node_map.h"
#include "plan/schedule/schedule.h"

struct caucus_simulation {
    double seconds;                /* until the last rank is done; all start at 0 */
    int64_t messages[2], bytes[2]; /* within nodes, between nodes (enum caucus_distance) */
    int64_t card_bytes;            /* of the node that sends or receives most */
    int64_t operations;
};

/* When an operation ran, for a drawing. */
struct caucus_simulated_event {
    int32_t rank, peer;
    uint8_t kind;
    double begin, end; /* of a receive: from being posted until the data is there */
    double sent;       /* of a receive: when its sender turned to it */
    int64_t bytes;
};

/* on_event may be NULL. nodes NULL: every rank a node of its own. Fails where the schedules do not
 * fit together. */
int caucus_schedule_simulate(int32_t ranks, const struct caucus_schedule *schedules,
                             const struct caucus_node_map *nodes, const struct caucus_model *model,
                             void (*on_event)(void *context,
                                              const struct caucus_simulated_event *event),
                             void *context, struct caucus_simulation *simulation);

#endif
