/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several ways to carry out the same collective is the fastest, found out by running them.
 */
#ifndef CAUCUS_API_COLLECTIVE_RACE_H
#define CAUCUS_API_COLLECTIVE_RACE_H

#include "api/collective/call.h"
#include "run/execution/execution.h"
#include "run/peers/peers.h"

enum { CAUCUS_RACERS = 5 };

struct caucus_racer {
    struct caucus_execution *execution;          /* ready: its start allocates nothing; NULL: */
    const struct caucus_collective_call *native; /* MPI's own blocking call */
    double seconds, spread; /* of a run, on the slowest rank: the median, and how far the middle
                               half of what was measured lies apart */
};

/* Runs them in turns, for about so many seconds in all. *ran: false where a few runs of each would
 * take longer; else their figures are there, the same on all ranks. Collective over the peers, who
 * have the same racers; a failure is this rank's own. */
int caucus_race_run(const struct caucus_peers *peers, double seconds, struct caucus_racer *racers,
                    int count, bool *ran);

/* The index of the fastest one, if it is faster than the first by more than what the measurements
 * vary by, and by a twentieth; else 0. */
int caucus_race_winner(const struct caucus_racer *racers, int count);

/* How many times the racers run at least, where anything is measured. */
int caucus_race_least_runs(void);

#endif
