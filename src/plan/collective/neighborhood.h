/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of a neighbourhood, the same for all five collectives on one. */
#ifndef CAUCUS_PLAN_COLLECTIVE_NEIGHBORHOOD_H
#define CAUCUS_PLAN_COLLECTIVE_NEIGHBORHOOD_H

#include "plan/collective/blocks.h"
#include "plan/collective/task.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_neighborhood {
    struct caucus_blocks sent, received;
    bool shared; /* one block for all destinations */
};

void caucus_neighborhood_init(struct caucus_neighborhood *neighborhood,
                              struct caucus_builder *builder, const struct caucus_task *task);
void caucus_neighborhood_free(struct caucus_neighborhood *neighborhood);

static inline struct caucus_place
caucus_neighborhood_sent(const struct caucus_neighborhood *neighborhood, int32_t block) {
    return neighborhood->shared ? neighborhood->sent.base
                                : caucus_block_place(&neighborhood->sent, block);
}

/* A rank's blocks for itself, the n-th that it sends to the n-th place: copies, in the open step.
 */
void caucus_neighborhood_keep(const struct caucus_neighborhood *neighborhood,
                              struct caucus_builder *builder, const struct caucus_task *task);

/* Everything straight to and from the neighbours: neighbor_linear.c. */
void caucus_neighborhood_straight(const struct caucus_neighborhood *neighborhood,
                                  struct caucus_builder *builder, const struct caucus_task *task);

#ifdef __cplusplus
}
#endif

#endif
