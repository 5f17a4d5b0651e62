/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a collective with a root between two groups, the root and the other group take part: a group
 * of their own, in which the root is rank 0, so that what serves one group serves here. */
#ifndef CAUCUS_PLAN_INTERGROUP_ROOTED_H
#define CAUCUS_PLAN_INTERGROUP_ROOTED_H

#include "plan/collective/blocks.h"
#include "plan/intergroup/intergroup.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_rooted {
    struct caucus_group before;
    int32_t *ranks;   /* of the group, owned */
    int64_t *lengths; /* of gather(v) and scatter(v): a block for each, the root's is empty */
    struct caucus_group_blocks side; /* the group without the root */
};

/* Enters it; false where this rank takes no part, or the builder has failed. Lengths are those that
 * this rank knows. */
bool caucus_rooted_enter(struct caucus_rooted *rooted, struct caucus_builder *builder,
                         const struct caucus_task *task);
void caucus_rooted_leave(struct caucus_rooted *rooted, struct caucus_builder *builder);

/* A rank for each, with what the task has for all ranks, for cost formulas. */
struct caucus_task caucus_rooted_common(const struct caucus_task *common);

#ifdef __cplusplus
}
#endif

#endif
