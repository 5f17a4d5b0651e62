/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that are shared out among the ranks of one group cross to the other one, where they are
 * shared out otherwise: the messages between all pairs of shares that have bytes in common, at most
 * as many as there are ranks in both groups, and some more where long shares are cut. */
#ifndef CAUCUS_PLAN_INTERGROUP_CROSSING_H
#define CAUCUS_PLAN_INTERGROUP_CROSSING_H

#include "plan/intergroup/intergroup.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_shares {
    int32_t first, ranks; /* in the union */
    const int64_t *cut;   /* ranks + 1, from 0 on: where shares begin */
};

/* Both end at the same byte. */
struct caucus_crossing {
    struct caucus_shares from, to;
};

/* What this rank sends or receives, in the open step; byte 0 of all would be at row. Ports of both
 * groups are busy with what is at the same distance above a multiple of the longest share, so that
 * they need not wait for each other. */
void caucus_crossing_send(struct caucus_builder *builder, const struct caucus_crossing *crossing,
                          struct caucus_place row);
void caucus_crossing_receive(struct caucus_builder *builder, const struct caucus_crossing *crossing,
                             struct caucus_place row);

/* Seconds: ports are busy as long as the longest share is, and for some messages more. */
double caucus_crossing_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t bytes, int64_t longest);

/* Where the blocks of a side begin, ranks + 1 entries, to be freed; NULL where the builder failed.
 */
int64_t *caucus_side_cuts(struct caucus_builder *builder, const struct caucus_group_blocks *side);

/* Peers are ranks of this rank's own group from now on; returns the group before. */
struct caucus_group caucus_intergroup_enter_own(struct caucus_builder *builder,
                                                const struct caucus_task *task);

/* An allreduce of so many bytes as a reduce_scatter of even shares for both groups, lengths owned;
 * false where there is no memory. */
struct caucus_even_shares {
    struct caucus_task task;
    int64_t *length;
};
bool caucus_even_shares_init(struct caucus_even_shares *shares, const struct caucus_task *task,
                             int64_t bytes);

/* A collective in the first or the second group alone, for cost formulas of such a part. */
struct caucus_task caucus_intergroup_part(const struct caucus_task *task, int32_t ranks,
                                          int64_t bytes);

/* The same by the nodes of a group, in half of node memory: it and what comes before or after it
 * have half each. Nodes have ranks of one group only; the map is to be freed. */
int caucus_intergroup_nodes_of(const struct caucus_task *task,
                               const struct caucus_group_blocks *side, struct caucus_node_map *map);
struct caucus_task caucus_intergroup_node_part(const struct caucus_task *task,
                                               const struct caucus_group_blocks *side,
                                               enum caucus_collective collective,
                                               const struct caucus_node_map *map, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
