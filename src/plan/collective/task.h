/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank is asked to do in a collective: its view, in numbers. All lengths are packed bytes
 * (count times the size of the datatype), so blocks of a buffer lie one after the other whatever
 * displacements the user gave.
 *
 *                       in                        out                       bytes
 *   barrier             -                         -                         -
 *   bcast               - (root: within out)      the data                  of the data
 *   reduce              the operand               root: the result          of the operand
 *   allreduce           the operand               the result                of the operand
 *   scan, exscan        the operand               the result (exscan: 0's is left alone)
 *   gather(v)           own block                 root: all blocks          of own block
 *   scatter(v)          root: all blocks          own block                 of own block
 *   allgather(v)        own block                 all blocks                of own block
 *   alltoall(v, w)      a block for each rank     a block of each rank      of a block; v, w: 0
 *   reduce_scatter(_block)  the whole operand     own block of the result   of own block
 *   neighbor_allgather(v)   own block             a block of each source    of own block
 *   neighbor_alltoall(v, w) a block for each          a block of each source    of a block; v, w: 0
 *                           destination
 *
 * In place, a rank's in lies within its out (in and out are the same memory there):
 *   allreduce, scan, exscan, reduce and gather at root, allgather, alltoall: as MPI says;
 *   reduce_scatter: out has room for the whole operand, and the result goes to its beginning;
 *   scatter at root: out lies within in instead, at the root's block.
 * A bcast is always in place: in of the root is out. */
#ifndef CAUCUS_PLAN_COLLECTIVE_TASK_H
#define CAUCUS_PLAN_COLLECTIVE_TASK_H

#include "plan/machine/node_map.h"
#include "plan/schedule/schedule.h"

enum caucus_collective {
    CAUCUS_BARRIER,
    CAUCUS_BCAST,
    CAUCUS_REDUCE,
    CAUCUS_ALLREDUCE,
    CAUCUS_GATHER,
    CAUCUS_GATHERV,
    CAUCUS_SCATTER,
    CAUCUS_SCATTERV,
    CAUCUS_ALLGATHER,
    CAUCUS_ALLGATHERV,
    CAUCUS_ALLTOALL,
    CAUCUS_ALLTOALLV,
    CAUCUS_ALLTOALLW,
    CAUCUS_REDUCE_SCATTER,
    CAUCUS_REDUCE_SCATTER_BLOCK,
    CAUCUS_SCAN,
    CAUCUS_EXSCAN,
    CAUCUS_NEIGHBOR_ALLGATHER,
    CAUCUS_NEIGHBOR_ALLGATHERV,
    CAUCUS_NEIGHBOR_ALLTOALL,
    CAUCUS_NEIGHBOR_ALLTOALLV,
    CAUCUS_NEIGHBOR_ALLTOALLW,
    CAUCUS_COLLECTIVES
};

/* "allreduce"; NULL for what is no collective. caucus_collective_find gives -1 for no such name. */
const char *caucus_collective_name(int collective);
int caucus_collective_find(const char *name);

/* Who sends how much to whom, all ranks together: only for algorithms that have it exchanged when a
 * persistent operation is made. Entries of rank r are first[r] to first[r + 1], in the order of its
 * blocks. */
struct caucus_traffic_table {
    const int64_t *first; /* ranks + 1 */
    const int32_t *destination;
    const int64_t *bytes;
};

struct caucus_task {
    enum caucus_collective collective;
    int32_t ranks, rank, root;
    /* Between two groups (plan/intergroup/intergroup.h): ranks 0 to first_group - 1 are the first
     * one, and remote_bytes is of a block that comes. Else 0. */
    int32_t first_group;
    int64_t remote_bytes;
    bool in_place;    /* here: of reduce, gather and scatter, at the root alone */
    bool commutative; /* the operation; else operands are combined in the order of ranks */
    int64_t element;  /* bytes of what a reduction must not cut; 1 where nothing is reduced */
    int64_t bytes;    /* see above */
    /* The lengths of blocks where they differ, else NULL: entries for each rank, or for each
     * destination and source of a neighbourhood. gatherv: receive_bytes, at the root, and
     * everywhere if counts_known; scatterv: send_bytes, likewise; allgatherv and reduce_scatter:
     * receive_bytes; alltoallv and w, neighbor_alltoallv and w: both; neighbor_allgatherv:
     * receive_bytes. */
    const int64_t *send_bytes, *receive_bytes;
    bool counts_known;
    bool crossed; /* all blocks came with the counts (plan/intergroup/eager.h); else false */
    /* Neighbourhoods, in the order of the blocks. A rank may come several times: the n-th block
     * from a to b meets the n-th place of b for a. */
    int32_t sources, destinations;
    const int32_t *source, *destination;
    const struct caucus_traffic_table *traffic; /* NULL where it was not exchanged */
    /* Who shares memory with whom; NULL where no memory is shared. */
    const struct caucus_node_map *nodes;
    int64_t node_limit; /* bytes of node memory that a schedule may reserve; the same everywhere */
    int64_t segment;    /* bytes of a piece where an algorithm pipelines; 0: its own choice */
    int64_t volume;     /* what all ranks choose an algorithm by: the longest rank's bytes of in or
                           out, where all know it without a message or it was agreed; else 0 */
};

static inline int64_t caucus_task_send(const struct caucus_task *task, int32_t block) {
    return task->send_bytes ? task->send_bytes[block] : task->bytes;
}

static inline int64_t caucus_task_receive(const struct caucus_task *task, int32_t block) {
    return task->receive_bytes ? task->receive_bytes[block] : task->bytes;
}

/* Whether it goes to neighbours, and whether a rank has the same block for all of them. */
static inline bool caucus_task_neighborhood(const struct caucus_task *task) {
    return task->collective >= CAUCUS_NEIGHBOR_ALLGATHER;
}

static inline bool caucus_task_one_block(const struct caucus_task *task) {
    return task->collective == CAUCUS_NEIGHBOR_ALLGATHER ||
           task->collective == CAUCUS_NEIGHBOR_ALLGATHERV;
}

/* Whether results are combined, so that element and commutative count. */
bool caucus_task_reduces(enum caucus_collective collective);

/* Whether a rank's bytes may differ from another's. */
bool caucus_task_irregular(enum caucus_collective collective);

#endif
