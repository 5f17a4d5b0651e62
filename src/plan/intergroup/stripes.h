/* SPDX-License-Identifier: BSD-3-Clause */
/* How two groups share out the bytes that cross between them, so that every port sends and receives
 * no more than max(M_A, M_B) bytes, whatever the blocks are (M: the bytes of all blocks of a
 * group).
 *
 * Both groups' data is laid along one line of length max(M_A, M_B), cut into stripes of equal
 * height. A rank's lane on it is its block and some padding, which is never sent. What lies in lane
 * r of the first group and lane j of the second one crosses from r to j + 1 and from j to r + 1,
 * and goes round both rings from there, so that r and j themselves see it last and need not pass it
 * on: the time in which they don't is that in which they send their own blocks.
 *
 *                    stripe 0           stripe 1           stripe 2
 *   first group   | A0    |A1   |A2        |A3   |A4          |A5   |
 *   second group  | B0          |B1 |B2          |B3     |B4        |
 *
 * All stripes cross at the same time, from bottom to top in chunks, and meanwhile and afterwards a
 * rank of the ring gets one stripe after the other, downwards, from the rank before it. */
#ifndef CAUCUS_PLAN_INTERGROUP_STRIPES_H
#define CAUCUS_PLAN_INTERGROUP_STRIPES_H

#include "plan/intergroup/intergroup.h"

/* A group's ranks in the order of their lanes, those with empty blocks last.
 *
 * Ranks that have hardly anything may be light: their lanes are empty, they come after those that
 * have lanes, and their blocks are in the lane of the next rank that has one, or in the last lane.
 * A light rank sends its block besides all that it passes on, so it may send more than the line is
 * long, by that much; but where many lanes begin, it takes long until all ports are busy. */
struct caucus_lanes {
    int32_t ranks, first; /* the lowest rank of the group, in the union */
    int32_t wide;         /* positions below have lanes, unless they are all empty */
    int32_t *order;       /* [position]: the rank, counted from the lowest */
    int32_t *position;    /* [rank] */
    int64_t *start;       /* [position], and one more: where lanes begin on the line */
    int64_t *sum;         /* likewise: where their data begins in the group's */
    int64_t *block;       /* [rank], and one more: where its block begins in the group's data */
    int64_t *height;      /* at which heights above the bottoms of stripes lanes begin: distinct,
                             ascending, not 0 */
    int32_t heights;
};

/* Where lanes are those of nodes, each of one group: a block is that of all ranks of a node, one
 * after the other, and who of a node passes a chunk on goes by turns. */
struct caucus_stripes_nodes {
    const struct caucus_node_map *map;
    int64_t *offset; /* [rank]: where its block begins in its group's data; one more */
};

struct caucus_stripes {
    int64_t length;  /* of the line */
    int64_t height;  /* of a stripe but the last */
    int64_t count;   /* of stripes */
    int64_t chunk;   /* what crosses at a time */
    int64_t piece;   /* of a chunk, a message; nodes pass several at a time */
    int64_t fill;    /* chunks that it takes until all ports are busy, and to the end */
    double bytes;    /* how long it takes, as a number of bytes that pass a port */
    int64_t element; /* nothing is cut but between elements */
    bool reduces;    /* what a rank does not pass on is in messages of its own */
    struct caucus_lanes lanes[2];
    struct caucus_stripes_nodes nodes; /* map NULL: lanes are those of ranks */
};

/* What a message costs besides its bytes, as a number of bytes: where nobody knows better. */
enum { CAUCUS_STRIPES_LATENCY = 16 << 10 };

/* A block is light only if it is no more than so many-th of the line. */
enum { CAUCUS_STRIPES_LIGHT = 1000 };

/* For allgather(v), and reduce_scatter(_block), which goes the other way: segment is the chunk, or
 * 0 for the best for such a latency. A status; to be freed unless that is an error. Without any
 * data, length is 0. */
int caucus_stripes_init(struct caucus_stripes *stripes, const struct caucus_task *task,
                        double latency, int64_t segment);

/* A stripe for each rank of groups of one size, and a chunk as long as the longest block: blocks
 * cross as they are and go round. A rank may send more than the line is long, by as much as blocks
 * differ. CAUCUS_NOT_APPLICABLE for groups of different sizes. */
int caucus_stripes_init_even(struct caucus_stripes *stripes, const struct caucus_task *task);
/* Lanes for nodes, light ones too: CAUCUS_NOT_APPLICABLE where one has ranks of both groups. Where
 * a node has enough ranks, two of them share a chunk, as one may be slower than the card; chunks
 * are shorter the more such teams it has, as each has one on its way. */
int caucus_stripes_init_nodes(struct caucus_stripes *stripes, const struct caucus_task *task,
                              double latency, int64_t segment);
void caucus_stripes_free(struct caucus_stripes *stripes);

/* Seconds of all slots, each a message and a chunk, which is then combined if the stripes are for
 * that. Where lanes are those of nodes: without what nodes do by themselves. */
double caucus_stripes_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                           const struct caucus_model *model);
double caucus_stripes_node_cost(const struct caucus_stripes *stripes,
                                const struct caucus_task *task, const struct caucus_model *model);

/* The lanes of a rank's group and of the other one, and its position, or its node's, in its own. */
struct caucus_stripes_place {
    const struct caucus_lanes *own, *other;
    int32_t position;
};
struct caucus_stripes_place caucus_stripes_place_of(const struct caucus_stripes *stripes,
                                                    int32_t rank);

/* The offset in the group's data of what lies at x or after it. */
int64_t caucus_lane_data(const struct caucus_lanes *lanes, int64_t x);

/* Where this rank's block begins in its group's data. */
int64_t caucus_stripes_own_begin(const struct caucus_stripes *stripes, int32_t rank);

/* A message of a rank. */
struct caucus_striped {
    int64_t slot;       /* those of a slot go at the same time; the same on both sides */
    int64_t key;        /* their order between two ranks */
    int64_t begin, end; /* bytes of the sending group's data, if it crosses; else of the others' */
    int32_t peer;       /* in the union */
    bool sends, crosses;
    bool token; /* no data but a byte, by which a rank says that it is its peer's turn: else groups
                   that get little would send much too early, to one rank all at once */
};

struct caucus_striped_list {
    struct caucus_striped *message; /* owned */
    int64_t count, room;
};

/* All messages of a rank of the union in the order of slots. A status; to be freed unless that is
 * an error. */
int caucus_stripes_messages(const struct caucus_stripes *stripes, int32_t rank,
                            struct caucus_striped_list *list);

/* A piece of the other group's data, or what of it stays together in the order of ranks. */
struct caucus_stripes_part {
    int64_t data, place, bytes; /* where it begins in the data, and in the order of ranks */
    int32_t local;              /* who of the node passes it on */
    int32_t unit;               /* as many pieces as the node has ranks */
};

struct caucus_stripes_parts {
    struct caucus_stripes_part *part; /* owned */
    int64_t count, room;
    bool straight; /* data is in the order of ranks */
};

/* All of them, for the ranks of the node of rank. cut: where the other group's blocks begin in the
 * order of ranks. A status; to be freed unless that is an error. */
int caucus_stripes_find_parts(const struct caucus_stripes *stripes, int32_t rank,
                              const struct caucus_group_side *other, const int64_t *cut,
                              struct caucus_stripes_parts *parts);

#endif
