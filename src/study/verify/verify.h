/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves a schedule: all ranks are run symbolically, and every byte of the result is compared with
 * what was asked for, for every run in a row. Knows no collective: it is told what should come out.
 */
#ifndef CAUCUS_STUDY_VERIFY_VERIFY_H
#define CAUCUS_STUDY_VERIFY_VERIFY_H

#include "plan/machine/node_map.h"
#include "plan/schedule/schedule.h"

/* A range of a rank's out must hold, byte by byte, what ranks first_rank to last_rank had at
 * in_offset of their in: one rank's data, or, of several, their combination. One rank's data may
 * run on into the in of the ranks that follow, as if all ins stood one after the other. */
struct caucus_expected {
    int64_t out_offset, length, in_offset;
    int32_t first_rank, last_rank;
};

/* How one rank's buffers lie. Where both are given an alias, byte i of in is byte i + alias of out
 * (a negative alias: out lies within in). */
struct caucus_rank_buffers {
    int64_t in_bytes, out_bytes;
    bool aliased;
    int64_t alias;
};

struct caucus_specification {
    int32_t ranks;
    bool ordered;    /* combinations must be in the order of ranks; else each operand once */
    int64_t element; /* reductions must cut between elements only */
    /* Both are called for every rank before a run; what expected gives must stay until the next
     * call, is sorted by out_offset, and does not overlap. What it leaves out must keep the value
     * that it had. */
    void (*buffers)(void *context, int32_t rank, struct caucus_rank_buffers *buffers);
    int (*expected)(void *context, int32_t rank, const struct caucus_expected **expected,
                    int64_t *count);
    void *context;
    const struct caucus_node_map *nodes; /* NULL: every rank a node of its own */
    /* Nobody may complete before all have started; where two groups meet, of which the first has so
     * many ranks, before all of the other one have. */
    bool barrier;
    int32_t first_group;
};

struct caucus_verdict {
    int64_t operations, messages, bytes; /* of one run of all ranks */
    int64_t steps;                       /* of the rank that has most */
};

/* schedules has an entry for every rank. Checks
 *   that operands are within their buffers, in and flags are never written by copies and the like,
 *     node memory is the same size on a node;
 *   that every send meets a receive of its length, even if sends wait for their receives;
 *   that no two operations touch a byte, one of them writing, unless one happens before the other:
 *     in the steps of a rank, and between the ranks of a node by flags and messages;
 *   that a flag is raised by one rank only, and only grows in a run;
 *   that synchronising is true where it is claimed, and that a barrier is one;
 *   that what comes out is right, and bit for bit the same on all ranks that expect the same
 *     combination: its operands are combined in the same tree;
 *   that nothing is read that was not written in the same run, but for a message of one byte,
 *     which tells of nothing but its sender.
 *
 * So the outcome does not depend on what earlier runs have left in out, scratch and node memory:
 * one symbolic run stands for any number in a row, and those that overlap on a node are kept apart
 * by the two halves of its memory.
 *
 * The first violation fails, with a text that names rank, step, operation and bytes, or who waits
 * for whom. verdict may be NULL. Time grows with the operations and the pieces that their operands
 * consist of, times the logarithm of how many pieces a buffer has. */
int caucus_schedule_verify(const struct caucus_specification *specification,
                           const struct caucus_schedule *schedules, struct caucus_verdict *verdict);

#endif
