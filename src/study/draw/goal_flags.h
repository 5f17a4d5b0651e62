/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags as messages: GOAL has no shared memory. Each line that an await looks at is a message from
 * the rank that raises it, sent where it first raises it far enough. */
#ifndef CAUCUS_STUDY_DRAW_GOAL_FLAGS_H
#define CAUCUS_STUDY_DRAW_GOAL_FLAGS_H

#include "study/draw/scene.h"

struct caucus_goal_flag {
    int32_t owner, waiter;
    int64_t raised, awaited; /* the operations of these ranks */
    int64_t tag;
};

struct caucus_goal_flags {
    int64_t count;
    struct caucus_goal_flag *by_owner, *by_waiter; /* the same, sorted by rank and operation */
};

/* Fails where a flag is awaited that nobody raises. */
int caucus_goal_flags_init(struct caucus_goal_flags *flags, const struct caucus_scene *scene);
void caucus_goal_flags_free(struct caucus_goal_flags *flags);

/* How many messages an operation stands for; *first is the first of them. */
int64_t caucus_goal_raised(const struct caucus_goal_flags *flags, int32_t rank, int64_t operation,
                           const struct caucus_goal_flag **first);
int64_t caucus_goal_awaited(const struct caucus_goal_flags *flags, int32_t rank, int64_t operation,
                            const struct caucus_goal_flag **first);

#endif
