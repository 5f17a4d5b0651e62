/* SPDX-License-Identifier: BSD-3-Clause */
/* What the allgathers of the table begin with, and what their costs go by. */
#ifndef CAUCUS_PLAN_COLLECTIVE_ALLGATHER_H
#define CAUCUS_PLAN_COLLECTIVE_ALLGATHER_H

#include "plan/collective/blocks.h"
#include "plan/collective/task.h"

/* Brings the own block to its place among all, as a step. The blocks are to be freed. */
struct caucus_blocks caucus_allgather_begin(struct caucus_builder *builder,
                                            const struct caucus_task *task);

/* The most bytes that so many blocks in a row, modulo p, have together: what a round is as long as
 * in which every rank sends them from its own on. */
double caucus_allgather_run(const struct caucus_task *task, int32_t count);

/* How many blocks have more bytes than these. */
int32_t caucus_allgather_blocks(const struct caucus_task *task, int64_t bytes);

#endif
