/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several ways to carry out the same collective is the fastest, found out by running them.
 */
#ifndef CAUCUS_API_COLLECTIVE_RACE_H
#define CAUCUS_API_COLLECTIVE_RACE_H

#include "api/collective/call.h"
#include "run/execution/execution.h"
#include "run/peers/peers.h"

enum { CAUCUS_RACERS = 5, CAUCUS_RACE_SAMPLES = 15 };

struct caucus_racer {
    struct caucus_execution *execution;          /* ready: its start allocates nothing; NULL: */
    const struct caucus_collective_call *native; /* MPI's own blocking call */
    /* Found out, the same on all ranks: */
    bool is_out;    /* it was so slow at first that it ran no further */
    double seconds; /* of a run, on the slowest rank: the median */
    double took[CAUCUS_RACE_SAMPLES];
    int samples;
};

/* Runs them in turns, for so many seconds in all at most, and less where a run is short. *ran:
 * false where a few runs of each would take longer; else their figures are there. Collective over
 * the peers, who have the same racers; a failure is this rank's own. */
int caucus_race_run(const struct caucus_peers *peers, double seconds, struct caucus_racer *racers,
                    int count, bool *ran);

/* The index of the fastest one, if it is faster than the first by a twentieth, and was in two of
 * three turns; else 0. */
int caucus_race_winner(const struct caucus_racer *racers, int count);

/* How many times the racers run at least, where anything is measured. */
int caucus_race_least_runs(void);

#endif
