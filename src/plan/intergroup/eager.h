/* SPDX-License-Identifier: BSD-3-Clause */
/* Short blocks of an allgatherv between two groups cross along with the counts (counts.h), before
 * anybody knows how long all blocks are; where all turn out to be short, each group has but to
 * share out what came.
 *
 * Ranks are partners: rank k of the larger group of l and rank ⌊k s / l⌋ of the smaller one of s,
 * whose first partner is the lowest. Blocks go to the partner, or the first one; they are in the
 * order of ranks then.
 *
 *                    in: what this rank has              out: what it gets
 *   the exchange     the other group's lengths           the own group's lengths
 *                    the own block, if short             short blocks of those who send to it
 *   eager            the same blocks                     the other group's blocks */
#ifndef CAUCUS_PLAN_INTERGROUP_EAGER_H
#define CAUCUS_PLAN_INTERGROUP_EAGER_H

#include "plan/intergroup/intergroup.h"

enum { CAUCUS_EAGER_BYTES = 8192 }; /* of a block that is short */

/* The bytes of a block that cross before its group knows all: all or none. */
static inline int64_t caucus_eager_part(int64_t bytes) {
    return bytes <= CAUCUS_EAGER_BYTES ? bytes : 0;
}

/* Whether blocks cross with the counts: not where groups are so unlike that counts go round. */
bool caucus_eager_applies(const struct caucus_task *task);

/* What comes to this rank, from the other group's lengths, which it has from MPI. */
int64_t caucus_eager_coming(const struct caucus_task *task);

/* This rank's schedule of the exchange, in one step. */
int caucus_eager_exchange_build(const struct caucus_task *task, struct caucus_schedule *schedule);

/* All lengths are known: whether all blocks have crossed. The same on all ranks. */
bool caucus_eager_is_all(const struct caucus_task *task);

/* For what comes then: stands in no table, since nothing else begins with blocks of others. */
extern const struct caucus_algorithm caucus_intergroup_allgatherv_eager;

#endif
