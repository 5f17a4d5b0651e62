/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank does in a collective: operations in steps. The operations of a step run
 * concurrently; a step starts when the one before it is complete on this rank. A schedule holds no
 * address and no MPI handle, so it can be kept, moved, compared, checked and run again.
 *
 * Buffers are counted in packed bytes: the user's data without gaps, in the order of his blocks.
 *   in, out    the user's; on a rank that works in place, in lies within out (task.h)
 *   scratch    this rank's own, undefined when a run starts
 *   line       64 bytes of node memory each: a flag of 8, then 56 bytes of payload
 *   node       node memory beyond the lines
 * Lines and node memory are one and the same for all ranks of a node. Their contents are undefined
 * when a run starts, but flags are 0. What was used by one run is not used by the next before every
 * rank of the node is done with it: the executor sees to that, not the schedule. */
#ifndef CAUCUS_PLAN_SCHEDULE_SCHEDULE_H
#define CAUCUS_PLAN_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum caucus_buffer {
    CAUCUS_BUFFER_IN,
    CAUCUS_BUFFER_OUT,
    CAUCUS_BUFFER_SCRATCH,
    CAUCUS_BUFFER_LINE,
    CAUCUS_BUFFER_NODE,
    CAUCUS_BUFFERS
};

enum {
    CAUCUS_LINE_BYTES = 64,
    CAUCUS_LINE_FLAG = 8, /* where the payload of a line begins */
    CAUCUS_LINE_PAYLOAD = CAUCUS_LINE_BYTES - CAUCUS_LINE_FLAG,
    CAUCUS_FLAG_LIMIT = 1 << 20 /* values of a flag in one run are 1 to this, exclusive */
};

enum caucus_operation_kind {
    CAUCUS_OPERATION_SEND,    /* length bytes of source to peer */
    CAUCUS_OPERATION_RECEIVE, /* length bytes from peer into target */
    CAUCUS_OPERATION_COPY,    /* source to target */
    CAUCUS_OPERATION_REDUCE,  /* target = source op target: source is the operand of lower ranks */
    CAUCUS_OPERATION_SIGNAL,  /* the flag of line target_offset becomes length; all that this rank
                       did before this step is seen by who awaits it */
    CAUCUS_OPERATION_AWAIT, /* until the flags of the peer lines from line target_offset on are all
                     at least length */
    CAUCUS_OPERATION_KINDS
};

/* Where bytes are. */
struct caucus_place {
    enum caucus_buffer buffer;
    int64_t offset;
};

struct caucus_operation {
    uint8_t kind;
    uint8_t source, target; /* buffers */
    uint8_t ends_step;
    int32_t peer;
    int64_t source_offset, target_offset, length;
};

/* A send meets the receive that its peer has posted for it: between two ranks the n-th send
 * meets the n-th receive, and their lengths are equal. A flag belongs to one rank, which only
 * raises it. */
struct caucus_schedule {
    int64_t count;
    struct caucus_operation *operations; /* owned; the last one ends a step */
    int64_t scratch_bytes;
    int64_t node_bytes; /* the same on all ranks of a node, and so are the lines */
    int32_t lines;
    bool synchronising; /* no rank of a node completes a run before all of the node started it */
};

void caucus_schedule_free(struct caucus_schedule *schedule);

static inline struct caucus_place caucus_at(struct caucus_place place, int64_t delta) {
    place.offset += delta;
    return place;
}

#endif
