/* SPDX-License-Identifier: BSD-3-Clause */
/* What casts take along an overlay, for choosing one. */
#ifndef CAUCUS_PLAN_OVERLAY_ESTIMATE_H
#define CAUCUS_PLAN_OVERLAY_ESTIMATE_H

#include "plan/machine/model.h"
#include "plan/overlay/overlay.h"

struct caucus_overlay_times {
    double one;       /* seconds until the last rank has heard a cast that is alone */
    double together;  /* seconds between casts at the best, where all ranks cast all the time */
    int hops;         /* of the cast that is alone */
    double crossings; /* messages between nodes for a cast, the mean over origins */
    double imbalance; /* sends of the busiest rank over the mean, where all cast */
};

/* origin casts bytes in pieces of at most segment bytes, of which every one is forwarded when it is
 * there. nodes may be NULL: every rank a node of its own; else it is of as many ranks. Exact under
 * the model as long as pieces do not meet each other; what all do together is bounded by the
 * busiest processor and the busiest card. From some 1,000 ranks on, the latter is of a part of the
 * origins, spread evenly, eight at least. O(max(ranks, 2^17) log ranks) steps, 48 bytes of memory a
 * rank. */
int caucus_overlay_estimate(const struct caucus_overlay *overlay,
                            const struct caucus_node_map *nodes, const struct caucus_model *model,
                            int64_t bytes, int64_t segment, int32_t origin,
                            struct caucus_overlay_times *times);

/* The kind that is fastest for casts of bytes in one piece of a rank in the midst, or for all
 * together; the first listed of those that are equal. */
int caucus_overlay_choose(const struct caucus_node_map *nodes, const struct caucus_model *model,
                          int64_t bytes, bool together, struct caucus_overlay *overlay);

#endif
