/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms that may be the fastest for a call, run by turns on data of their own: buffers without
 * gaps, as long as the user's. Steps: begin, make, run, end; all ranks come through all of them. */
#ifndef CAUCUS_API_COLLECTIVE_CONTEST_H
#define CAUCUS_API_COLLECTIVE_CONTEST_H

#include "api/collective/learned.h"
#include "api/collective/prepared.h"
#include "api/collective/race.h"

struct caucus_contest {
    struct caucus_work *work;
    struct caucus_context *context;
    struct caucus_learned_entry *entry;
    /* The first is what is taken unless another one is faster. */
    struct caucus_candidate candidates[CAUCUS_CANDIDATES];
    struct caucus_prepared *entrant[CAUCUS_CANDIDATES];
    struct caucus_racer racers[CAUCUS_RACERS];
    int count;
    int planned;    /* so many entrants are the caller's, who has planned them; 0 or 1 */
    bool is_shared; /* they run in the arena of blocking calls, else each in one of its own */
    bool has_mpis;  /* the last racer is MPI's own blocking call, which is: */
    struct caucus_collective_call mpis;
    struct {
        char *in, *out;
    } scratch; /* in the places of the user's buffers */
};

/* Lists the candidates, of which first, if it is not NULL, comes first. Whether there is anything
 * to measure, in the time that there is. Local; all ranks come to the same, but for those whose
 * count is -1: they had no memory. */
bool caucus_contest_begin(struct caucus_contest *contest, const char *forced,
                          const struct caucus_algorithm *first);

/* Makes all entrants ready. Collective; all ranks get the same outcome. Where it fails nothing was
 * run, and nothing is lost but the contest. */
int caucus_contest_make(struct caucus_contest *contest);

/* Runs them, and settles the entry. *winner: of the candidates; 0 where they were not measured
 * either. Collective; it fails, on all ranks alike, where a run does. */
int caucus_contest_run(struct caucus_contest *contest, int *winner);

/* Frees what it has made. */
void caucus_contest_end(struct caucus_contest *contest, bool failed);

/* Whether all ranks have got this far without failing, with the same in mind. */
int caucus_contest_agree(const struct caucus_contest *contest, int status);

#endif
