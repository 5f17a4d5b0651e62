/* SPDX-License-Identifier: BSD-3-Clause */
/* A vector on its way along the chain of ranks, in segments. */
#ifndef CAUCUS_PLAN_COLLECTIVE_CHAIN_H
#define CAUCUS_PLAN_COLLECTIVE_CHAIN_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_chain {
    int64_t bytes, element, segments;
    bool
        overlaps; /* a segment is combined while the next one comes: slower from rank to rank, but
                     faster through each, which pays where the vector is long and the chain short */
};

/* segment: bytes of one, 0 for a choice. To overlap is slower from rank to rank, but faster through
 * each, so it is done where the vector is long and the chain short. */
struct caucus_chain caucus_chain_of(int32_t size, int64_t bytes, int64_t element, int64_t segment,
                                    bool may_overlap);

/* Where segment i is in a vector at base, and its length: 0 before the first and after the last. */
struct caucus_place caucus_chain_place(const struct caucus_chain *chain, struct caucus_place base,
                                       int64_t i);
int64_t caucus_chain_length(const struct caucus_chain *chain, int64_t i);
int64_t caucus_chain_longest(const struct caucus_chain *chain);

/* Of passing a task's volume, each rank combining it with its own. */
double caucus_chain_cost(const struct caucus_task *task, const struct caucus_model *model,
                         bool may_overlap);

#ifdef __cplusplus
}
#endif

#endif
