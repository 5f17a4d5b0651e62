/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts that a rank must know between two groups, but MPI does not give it: those of its own
 * group's blocks in allgatherv, of the other group's in reduce_scatter. They come by a schedule of
 * its own before the collective is worked out, in an arena of their own: all ranks begin their
 * exchanges in the same order, whatever they begin of the collectives. Short blocks of allgatherv
 * come with them (plan/intergroup/eager.h). */
#ifndef CAUCUS_API_COLLECTIVE_COUNTS_H
#define CAUCUS_API_COLLECTIVE_COUNTS_H

#include "api/collective/work.h"

struct caucus_counts; /* of a context */
struct caucus_exchange;

bool caucus_counts_are_missing(const struct caucus_task *task);

/* Collective over the engine's attachment; all ranks get the same status and text. */
int caucus_counts_create(struct caucus_engine *engine, struct caucus_counts **counts);
void caucus_counts_free(struct caucus_counts *counts); /* NULL does nothing */

/* Begins an exchange for the work, whose buffers it may read now. Local. */
int caucus_counts_begin(struct caucus_counts *counts, const struct caucus_work *work,
                        struct caucus_exchange **exchange);
struct caucus_execution *caucus_counts_execution(const struct caucus_exchange *exchange);

/* After its run is complete, with success or not: the work gets what came, if it is not NULL. */
int caucus_counts_end(struct caucus_exchange *exchange, struct caucus_work *work);

/* All of this, for a call that may wait. */
int caucus_counts_exchange(struct caucus_counts *counts, struct caucus_work *work);

/* Where they have come some other way: an array of those that were missing, which is taken over;
 * NULL fails. */
int caucus_counts_use(struct caucus_work *work, int64_t *lengths);

#endif
