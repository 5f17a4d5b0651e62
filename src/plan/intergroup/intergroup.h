/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives between two groups: tasks over the union of both, whose ranks 0 to first_group - 1
 * are the first group, the others the second one. What one rank sees of it, in addition to task.h:
 *
 *                    in                     out                     bytes of
 *   barrier          -                      -                       -
 *   bcast            - (root: within out)   the data                the data
 *   reduce           the operand            root: the result        the operand
 *   allreduce        the operand            the other's result      the operand
 *   gather           own block              root: other's blocks    a block
 *   gatherv          own block              root: other's blocks    own block
 *   scatter          root: other's blocks   own block               a block
 *   scatterv         root: other's blocks   own block               own block
 *   allgather(v)     own block              the other's blocks      own block
 *   alltoall(v, w)   a block for each       a block from each       a block that is sent
 *   reduce_scatter   the whole operand      own block of other's    own block
 *
 * What is the other's belongs to all ranks of the other group; reduce_scatter stands for _block
 * too.
 *
 * remote_bytes: in allgather of a block of the other group, in alltoall of a block that comes, in
 * reduce_scatter_block of the other group's blocks. receive_bytes and send_bytes have entries for
 * each rank of one group:
 *   allgatherv      receive_bytes: the other group's blocks; send_bytes: the own group's, if
 *                   counts_known, else NULL
 *   reduce_scatter  receive_bytes: the own group's blocks of the result; send_bytes: the other
 *                   group's, if counts_known, else NULL
 *   gatherv         receive_bytes: the blocks that the root gets, at the root, and on all ranks of
 *                   the other group if counts_known; scatterv: send_bytes, likewise
 *   alltoallv, w    both: the other group's ranks
 *
 * Whoever chooses an allgatherv or reduce_scatter must have exchanged counts first (counts.h): both
 * groups go by those of both, and volume is the longest rank's bytes of in or out in either group.
 * Without counts there is but direct, which there is of every collective: it needs neither these
 * nor node memory, sends between the groups only, and is the fastest for few ranks at most.
 *
 * Of a collective with a root, the root and the other group take part. A rank of the root's group
 * that is not the root has CAUCUS_ROOT_ELSEWHERE for a root, and nothing to do. Nothing is ever in
 * place but a bcast at its root. */
#ifndef CAUCUS_PLAN_INTERGROUP_INTERGROUP_H
#define CAUCUS_PLAN_INTERGROUP_INTERGROUP_H

#include "plan/collective/algorithm.h"

enum { CAUCUS_ROOT_ELSEWHERE = -1 };

/* One of the two, in numbers of the union, and a block of each of its ranks. */
struct caucus_group_side {
    int32_t first, ranks;
    int64_t bytes;         /* of each block, where length is NULL */
    const int64_t *length; /* of the blocks */
};

static inline int64_t caucus_group_block(const struct caucus_group_side *side, int32_t index) {
    return side->length ? side->length[index] : side->bytes;
}

/* This rank's group, or the other one. Blocks are those of allgather(v), or those of the result of
 * reduce_scatter(_block). */
struct caucus_group_side caucus_own_side(const struct caucus_task *task);
struct caucus_group_side caucus_other_side(const struct caucus_task *task);

/* The ranks of the larger group. */
int32_t caucus_intergroup_larger(const struct caucus_task *task);

/* The bytes of all blocks; -1 where they are more than 2^60. */
int64_t caucus_group_total(const struct caucus_group_side *side);

/* Those of the longest block. */
int64_t caucus_group_longest(const struct caucus_group_side *side);

/* bcast, reduce, gather(v), scatter(v). */
bool caucus_intergroup_rooted(enum caucus_collective collective);

/* reduce_scatter(_block). */
bool caucus_intergroup_scatters(const struct caucus_task *task);

/* Whether every node has ranks of one group only. */
bool caucus_intergroup_nodes_apart(const struct caucus_task *task);

/* What of a task is the same on all ranks that take part: it looks as on rank 0, or, with a root,
 * as on the lowest rank of the group that has not got it; its root is the lowest one of the group
 * that has it. */
struct caucus_task caucus_intergroup_common(const struct caucus_task *task);

/* The table of algorithms between groups, as caucus_algorithm_entry, first and find. */
const struct caucus_algorithm *caucus_intergroup_algorithm(int index);
int caucus_intergroup_algorithm_first(enum caucus_collective collective);
const struct caucus_algorithm *caucus_intergroup_algorithm_find(enum caucus_collective collective,
                                                                const char *name);

#endif
