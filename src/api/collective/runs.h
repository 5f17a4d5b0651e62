/* SPDX-License-Identifier: BSD-3-Clause */
/* What collectives that the drop-in took over have run: for the report. */
#ifndef CAUCUS_API_COLLECTIVE_RUNS_H
#define CAUCUS_API_COLLECTIVE_RUNS_H

#include "api/calls/calls.h"
#include "api/collective/prepared.h"

/* The call that this thread makes for the drop-in from now on; CAUCUS_CALL_COUNT: none. */
void caucus_runs_are_for(enum caucus_call call);

/* Counts a call that was taken over, with its algorithm, or one run of it, with the bytes that the
 * run hands to other ranks. between: two groups. Nothing happens unless a report is wanted. */
void caucus_runs_count_call(enum caucus_call call, const struct caucus_prepared *prepared,
                            bool between);
void caucus_runs_count_run(enum caucus_call call, const struct caucus_prepared *prepared);

/* Both; and both for the call of this thread if it makes one for the drop-in. */
void caucus_runs_count_both(enum caucus_call call, const struct caucus_prepared *prepared,
                            bool between);
void caucus_runs_count_own(const struct caucus_prepared *prepared, bool between);

/* The call of this thread is left to MPI after all. */
void caucus_runs_count_left(void);

#endif
