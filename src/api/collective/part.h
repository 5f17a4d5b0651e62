/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank has to do with a collective: which of its buffers matter, and who the blocks of them
 * are for. Local. */
#ifndef CAUCUS_API_COLLECTIVE_PART_H
#define CAUCUS_API_COLLECTIVE_PART_H

#include "api/collective/call.h"
#include "api/collective/context.h"
#include "api/collective/shape.h"

struct caucus_part {
    bool sends, receives; /* else nothing of that side is looked at */
    bool in_place;        /* one of the buffers is MPI_IN_PLACE where it may be */
    int32_t root;         /* as a task has it */
    int32_t own;          /* the number of this rank within its group */
};

/* What it says of roots holds once they were checked. */
struct caucus_part caucus_part_of(const struct caucus_collective_call *call,
                                  const struct caucus_context *context);

/* Takes out of a call what a rank that takes no part may have given anything for. */
void caucus_part_tidy(struct caucus_collective_call *call, const struct caucus_context *context);

/* How many blocks a buffer has, unless they are the neighbours': of the other group, if there is
 * one, but for reduce_scatter's. */
int32_t caucus_part_blocks(const struct caucus_context *context, enum caucus_side_kind kind);

/* How many the user gives on a side, the neighbours' too. */
int32_t caucus_part_given(const struct caucus_context *context, const struct caucus_shape *shape,
                          bool receives);

#endif
