/* SPDX-License-Identifier: BSD-3-Clause */
/* The last blocking and nonblocking calls of a communicator, known by the arena that it is their
 * turn to have and by their arguments but for the buffers: a call that comes again is looked up,
 * and nothing of it is checked or measured once more. Only calls whose handles mean the same for
 * ever: MPI's own datatypes and operations, and no arrays. */
#ifndef CAUCUS_API_COLLECTIVE_REPEATS_H
#define CAUCUS_API_COLLECTIVE_REPEATS_H

#include "api/collective/prepared.h"

enum { CAUCUS_REPEATS_SETS = 64, CAUCUS_REPEATS_WAYS = 2, CAUCUS_REPEAT_WORDS = 6 };

struct caucus_repeat {
    uint64_t word[CAUCUS_REPEAT_WORDS];
    struct caucus_prepared *prepared; /* NULL: none */
    bool may_move;                    /* to other buffers */
};

struct caucus_repeats {
    struct caucus_repeat entry[CAUCUS_REPEATS_SETS][CAUCUS_REPEATS_WAYS]; /* the newest first */
};

/* What was prepared for such a call at that place of the cache, bound to this one's buffers; NULL
 * where that takes more than a look-up, where it is in use, and where an argument may be wrong. */
struct caucus_prepared *caucus_repeats_find(const struct caucus_repeats *repeats, int place,
                                            const struct caucus_collective_call *call);

/* After a call's work was bound to its buffers. */
void caucus_repeats_keep(struct caucus_repeats *repeats, int place, const struct caucus_work *work,
                         struct caucus_prepared *prepared);

/* Before it is freed. */
void caucus_repeats_forget(struct caucus_repeats *repeats, const struct caucus_prepared *prepared);

#endif
