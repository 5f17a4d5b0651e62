/* SPDX-License-Identifier: BSD-3-Clause */
/* The arenas of blocking and nonblocking calls, and what was worked out for the last of them, ready
 * to be run again on other buffers. Blocking calls have an arena of their own, on one node two:
 * small ones may get further ahead of other ranks. Nonblocking ones take the others in turns, which
 * all ranks do alike. Between two groups, two more are for those that begin later than they were
 * called (staged.h). */
#ifndef CAUCUS_API_COLLECTIVE_STANDING_H
#define CAUCUS_API_COLLECTIVE_STANDING_H

#include "api/collective/prepared.h"

struct caucus_standing;

/* One schedule in one arena; busy while a request or call uses it. */
struct caucus_entry {
    struct caucus_prepared prepared;
    char *row; /* what the schedule sends, where it does not send what the user gave; else NULL */
    void *key;
    size_t key_bytes;
    _Atomic bool busy;
    bool kept;     /* else it is freed after use */
    uint64_t used; /* when last, for throwing out the oldest */
};

/* Collective over the engine's attachment; all ranks get the same status and text. */
int caucus_standing_create(struct caucus_engine *engine, struct caucus_standing **standing);
void caucus_standing_free(struct caucus_standing *standing); /* NULL does nothing */

/* An execution of the work, which is marked busy: one that is there, or a new one. staged: of a
 * nonblocking call that begins when its counts have come; by one thread at a time. Local. */
int caucus_standing_take(struct caucus_standing *standing, struct caucus_work *work,
                         const struct caucus_team *team, bool staged, struct caucus_entry **entry);

/* The entry of the last blocking call, marked busy, where this one has the very same arguments: all
 * is checked and bound already. NULL elsewhere. */
struct caucus_entry *caucus_standing_recall(struct caucus_standing *standing,
                                            const struct caucus_collective_call *call);

/* After its run is complete. Any thread. */
void caucus_standing_give_back(struct caucus_entry *entry);

#endif
