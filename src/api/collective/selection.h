/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_SELECT=auto and measure: whether another algorithm than the one that the model has chosen
 * is faster, found out in a persistent init; with measure in the midst of blocking calls too, where
 * MPI's own call may be the fastest. */
#ifndef CAUCUS_API_COLLECTIVE_SELECTION_H
#define CAUCUS_API_COLLECTIVE_SELECTION_H

#include "api/collective/learned.h"
#include "api/collective/prepared.h"

/* Of a persistent init. In the place of *prepared, which has an arena of its own and is ready on
 * all ranks, what is faster, if anything is. What cannot be measured stays as it is; it fails, on
 * all ranks alike, where a run does. Collective; work is the same that *prepared was made of. */
int caucus_selection_improve(struct caucus_work *work, struct caucus_context *context,
                             const char *forced, int sending, struct caucus_prepared **prepared);

/* Of blocking calls: what is to be counted with each of this work's kind and size class; NULL where
 * nothing is. Local; all ranks come to the same. */
struct caucus_learned_entry *caucus_selection_watch(const struct caucus_work *work,
                                                    struct caucus_context *context);

/* Counts a call; whether it is the one before which its entry is to be settled: on all ranks the
 * same one. */
static inline bool caucus_selection_is_due(struct caucus_learned_entry *entry) {
    enum { CALLS = 30 };
    return !entry->is_settled && ++entry->calls == CALLS;
}

/* Settles it: measures the algorithm that has been taken so far against others and, where the call
 * may be left to it, MPI's own. What was kept for such calls is dropped. Collective. */
int caucus_selection_settle(const struct caucus_collective_call *call,
                            struct caucus_context *context, struct caucus_learned_entry *entry,
                            const struct caucus_algorithm *taken);

#endif
