/* SPDX-License-Identifier: BSD-3-Clause */
/* What algorithms between two groups consist of, besides those of one group. */
#ifndef CAUCUS_PLAN_INTERGROUP_PARTS_H
#define CAUCUS_PLAN_INTERGROUP_PARTS_H

#include "plan/intergroup/intergroup.h"

/* Where the blocks of a side begin, ranks + 1 entries, to be freed; NULL where the builder failed.
 */
int64_t *caucus_side_cuts(struct caucus_builder *builder, const struct caucus_group_side *side);

/* Peers are ranks of this rank's own group from now on; returns the group before. */
struct caucus_group caucus_intergroup_enter_own(struct caucus_builder *builder,
                                                const struct caucus_task *task);

/* What a rank has for each of several others: so many bytes, further on by stride for the next one
 * of their group. */
struct caucus_told {
    struct caucus_place first;
    int64_t bytes, stride;
};

/* A step in which rank i of a group hears rank i modulo the size of the other one, and tells all
 * who hear it so. */
void caucus_intergroup_tell(struct caucus_builder *builder, const struct caucus_task *task,
                            struct caucus_told told, struct caucus_place heard, int64_t bytes);

/* Along a postal tree; returns where the lowest rank of the group has the result. */
struct caucus_place caucus_intergroup_reduce_to_lowest(struct caucus_builder *builder,
                                                       const struct caucus_task *task);

/* A collective of some ranks alone, for cost formulas of such a part. */
struct caucus_task caucus_intergroup_part(const struct caucus_task *task, int32_t ranks,
                                          int64_t bytes);

/* The same of a side's, on the nodes that these are on. What formulas need to know of the nodes
 * goes to nodes, without memory: no arrays, so it is none of whose ranks can be asked for. */
struct caucus_task caucus_intergroup_side_part(const struct caucus_task *task,
                                               const struct caucus_group_side *side, int64_t bytes,
                                               struct caucus_node_map *nodes);

/* The same by the nodes of a group, which have ranks of it only, in half of node memory: it and
 * what comes before or after it have half each. */
struct caucus_task caucus_intergroup_node_part(const struct caucus_task *task,
                                               const struct caucus_group_side *side,
                                               enum caucus_collective collective,
                                               const struct caucus_node_map *map, int64_t bytes);

#endif
