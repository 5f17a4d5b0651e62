/* SPDX-License-Identifier: BSD-3-Clause */
/* Moving and combining data in the memory that the ranks of a node share: what the algorithms of
 * one node consist of, and the node's part of those for several. All ranks of the node call a part
 * with matching arguments. Ranks of a node are counted by their place in it, from 0 on. */
#ifndef CAUCUS_PLAN_COLLECTIVE_NODE_PARTS_H
#define CAUCUS_PLAN_COLLECTIVE_NODE_PARTS_H

#include "plan/collective/blocks.h"
#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

/* This rank's node. */
struct caucus_node {
    const struct caucus_node_map *map;
    int32_t size, local;  /* of its ranks, this is the local-th */
    int32_t largest;      /* the ranks of the largest node */
    int32_t index;        /* of the node among nodes */
    int64_t limit, piece; /* task->node_limit, task->segment: a part uses no more, none larger */
};

struct caucus_node caucus_node_of(const struct caucus_task *task);

/* The rank of a place in it. */
static inline int32_t caucus_node_member(const struct caucus_node *node, int32_t local) {
    return caucus_rank_in_node(node->map, node->index, local);
}

/* The node as a part sees it that may use half of its memory. */
struct caucus_node caucus_node_half(const struct caucus_node *node);

/* Who of this rank's node leads it: its lowest rank; in the node of root, unless that is negative,
 * root. */
int32_t caucus_node_leader(const struct caucus_task *task, int32_t root);

enum { CAUCUS_EVERYBODY = -1 };

/* Bytes that one rank has and others want. */
struct caucus_spread_block {
    int32_t writer, reader; /* reader: one, or CAUCUS_EVERYBODY */
    int64_t bytes;
    struct caucus_place source, target; /* at the writer; at readers, itself perhaps among them */
    int32_t unit;                       /* node_rounds.h */
};

/* Whether the limit has room for the parts below, on all nodes alike; if not, the builder fails:
 * CAUCUS_NOT_APPLICABLE. Combinations, of so many bytes together, need two elements for every rank
 * of the largest node, unless they fit in lines, and never less than what a spread needs. */
bool caucus_node_can_spread(int64_t limit);
bool caucus_node_can_combine(int64_t limit, int32_t largest, int64_t bytes, int64_t element);

/* Writers copy into node memory, readers out of it, piece by piece, so that they work at the same
 * time. No target overlaps another source of the same rank, unless it is the very place of its own
 * block. The array of blocks is given away; NULL where the builder has failed. */
void caucus_node_spread(struct caucus_builder *builder, const struct caucus_node *node,
                        int64_t blocks, struct caucus_spread_block *block);

/* The same where the bytes of a block are known to its writer and reader alone; a rank gives 0 for
 * others. A block of more than caucus_node_private_most bytes takes more rounds than a flag can
 * count, or than are worth their memory. */
int64_t caucus_node_private_most(const struct caucus_node *node, int64_t blocks);
void caucus_node_spread_private(struct caucus_builder *builder, const struct caucus_node *node,
                                int64_t blocks, struct caucus_spread_block *block);

/* Bytes of all ranks' operands whose combination a rank wants. */
struct caucus_combine_block {
    int32_t reader; /* one, or CAUCUS_EVERYBODY */
    int64_t offset, bytes;
    struct caucus_place target; /* at readers */
    int32_t unit;               /* node_rounds.h */
};

struct caucus_combine {
    struct caucus_place operand;
    int64_t element;
    int32_t upto; /* what this rank wants combines ranks 0 to upto, exclusive */
    int64_t blocks;
    struct caucus_combine_block *block; /* given away; NULL where the builder has failed */
};

/* Everybody copies into node memory what others want, and combines what it wants itself, piece by
 * piece, in the order of ranks. Targets do not overlap the operand, unless a block has its target
 * right where it is in the operand, and nobody else wants it. */
void caucus_node_combine(struct caucus_builder *builder, const struct caucus_node *node,
                         const struct caucus_combine *combine);

/* Where in the payload of a line operands may begin: their type may be aligned to 16 bytes. */
static inline int64_t caucus_line_lead(int64_t element) {
    return element % 16 ? 0 : 16 - CAUCUS_LINE_FLAG;
}

/* The same for one block of all, in two stages: node_teams.c. Only where has_teams says that node
 * memory has room, and that it is worth it. Of 0 bytes it is a barrier, or the reader awaits all.
 */
bool caucus_node_has_teams(int32_t size, int64_t bytes, int64_t limit);
void caucus_node_combine_in_teams(struct caucus_builder *builder, const struct caucus_node *node,
                                  int32_t reader, struct caucus_place in, struct caucus_place out,
                                  int64_t bytes, int64_t element);
double caucus_node_teams_cost(const struct caucus_model *model, int32_t size, double bytes);

/* One block of all for one writer or one reader: data stays where it is at the writer. */
void caucus_node_bcast(struct caucus_builder *builder, const struct caucus_node *node,
                       int32_t writer, struct caucus_place data, int64_t bytes);
void caucus_node_reduce(struct caucus_builder *builder, const struct caucus_node *node,
                        int32_t reader, struct caucus_place in, struct caucus_place out,
                        int64_t bytes, int64_t element);

/* out: the combination of ranks 0 to this one, or, not inclusive, to the one before it; that of
 * rank 0 is left alone then. */
void caucus_node_scan(struct caucus_builder *builder, const struct caucus_node *node,
                      struct caucus_place in, struct caucus_place out, int64_t bytes,
                      int64_t element, bool inclusive);

/* A vector cut into slices, which belong to parts ranks in turns: 0, 1, … parts - 1, 0, 1, … There
 * is more than one turn where node memory has no room for all operands of the largest node. */
struct caucus_slices {
    int32_t parts;
    int64_t count;
    int64_t *cut; /* count + 1 */
};
struct caucus_slices caucus_slices_init(struct caucus_builder *builder,
                                        const struct caucus_task *task, int32_t parts);
void caucus_slices_free(struct caucus_slices *slices);

/* The bytes of all slices of a rank; 0 for ranks that have none. */
int64_t caucus_slices_bytes(const struct caucus_slices *slices, int32_t part);

/* Every rank that has slices gets their combination: one after the other at packed, or, where that
 * is NULL, where they belong in data. In place, data is in. */
void caucus_node_reduce_scatter(struct caucus_builder *builder, const struct caucus_node *node,
                                const struct caucus_slices *slices, struct caucus_place in,
                                const struct caucus_place *packed, struct caucus_place data,
                                int64_t element);

/* The other way round: reader gets all slices at data. packed is of those ranks that have slices;
 * reader itself has its own in data already if it is NULL. */
void caucus_node_allgather(struct caucus_builder *builder, const struct caucus_node *node,
                           const struct caucus_slices *slices, int32_t reader,
                           const struct caucus_place *packed, struct caucus_place data);

/* Makes the lane-th ranks of all nodes the builder's group (-1: the last ones), in the order of
 * nodes; from root's node comes root itself, if it is not negative. This rank must be in it. Nodes
 * are those of the group before, in its numbers. */
struct caucus_lane {
    int32_t *ranks;
    struct caucus_group before;
};
struct caucus_lane caucus_lane_enter(struct caucus_builder *builder, const struct caucus_task *task,
                                     int32_t lane, int32_t root);
void caucus_lane_leave(struct caucus_builder *builder, struct caucus_lane *lane);

/* The blocks of all ranks, dealt to lanes: lane i of a node has those of its ranks i, i + lanes, …
 * Packed, a lane has its blocks one after the other, node by node. */
struct caucus_dealt {
    const struct caucus_task *task;
    struct caucus_node node;  /* this rank's */
    struct caucus_blocks all; /* owned */
    int32_t lanes;
    int64_t *offset; /* of each rank's block in its lane */
    int64_t *cut;    /* where those of each node begin in this rank's lane; nodes + 1 entries */
    int64_t *length; /* of those of each node */
};
struct caucus_dealt caucus_dealt_to_lanes(struct caucus_builder *builder,
                                          const struct caucus_task *task, int32_t lanes,
                                          struct caucus_blocks all);

static inline int32_t caucus_dealt_lane(const struct caucus_dealt *dealt, int32_t rank) {
    return caucus_local_of_rank(dealt->task->nodes, rank) % dealt->lanes;
}

void caucus_dealt_free(struct caucus_dealt *dealt);

/* An allgather in so many lanes, 1 to task->nodes->smallest, of all blocks to target; where lanes
 * pass long data, what they do is made for that. */
void caucus_allgather_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                                 struct caucus_place target, int32_t lanes, bool is_long);
/* A gather or scatter whose root has all blocks at base, which may be anywhere. */
void caucus_rooted_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                              struct caucus_place base);

/* What the parts cost on the largest node. parts: among how many ranks a vector is dealt out. */
double caucus_node_synchronization(const struct caucus_model *model, double lines);
double caucus_node_bcast_cost(const struct caucus_task *task, const struct caucus_model *model,
                              double bytes);
double caucus_node_reduce_cost(const struct caucus_task *task, const struct caucus_model *model,
                               double bytes);
double caucus_node_scan_cost(const struct caucus_task *task, const struct caucus_model *model,
                             double bytes);
double caucus_node_reduce_scatter_cost(const struct caucus_task *task,
                                       const struct caucus_model *model, double bytes,
                                       double parts);
double caucus_node_allgather_cost(const struct caucus_task *task, const struct caucus_model *model,
                                  double bytes, double parts);
/* A reduce-scatter of a block for each rank in so many units, which as many ranks as there are
 * parts combine, with room bytes of node memory. */
double caucus_node_blocks_cost(const struct caucus_task *task, const struct caucus_model *model,
                               double bytes, double units, double parts, double room);

/* Between nodes, in lanes: an allgather of bytes in ⌈log2 nodes⌉ rounds, or a reduce-scatter. */
double caucus_node_halving_cost(const struct caucus_task *task, const struct caucus_model *model,
                                double bytes, double lanes);
double caucus_node_halving_reduce_cost(const struct caucus_task *task,
                                       const struct caucus_model *model, double bytes,
                                       double lanes);

#endif
