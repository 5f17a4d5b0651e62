/* SPDX-License-Identifier: BSD-3-Clause */
/* A task with the algorithm that was chosen for it, its schedule, and what executes it. Every form
 * of a collective comes to one in the same steps: plan, describe, run. */
#ifndef CAUCUS_API_COLLECTIVE_PREPARED_H
#define CAUCUS_API_COLLECTIVE_PREPARED_H

#include "api/collective/work.h"
#include "plan/choice/choose.h"

/* What tells whether work that was done for one call serves another. Plain bytes: all that a
 * schedule and its binding depend on besides the buffers, as far as this rank knows it before any
 * exchange. Empty where that may mean something else another time: an operation is known by its
 * handle, since whoever calls with it has not freed it, but a datatype, which counts only in
 * reductions, must be one of MPI's own. */
struct caucus_key {
    void *text;
    size_t bytes;
};

/* To be freed. */
int caucus_key_create(const struct caucus_work *work, struct caucus_key *key);
void caucus_key_free(struct caucus_key *key); /* an empty one too */

/* Neither is empty, and they are the same. */
bool caucus_key_matches(const struct caucus_key *key, const struct caucus_key *other);

/* The buffers that it was bound to last, for repeats.c. */
struct caucus_bound {
    struct caucus_side send, receive;
    bool is_known, is_plain;     /* else nothing holds; neither has gaps or is a device's */
    bool in_receives, out_sends; /* a schedule's in lies within receive; its out within send */
};

enum { CAUCUS_PREPARED_NAME = 96 };

struct caucus_learned_entry;

struct caucus_prepared {
    const struct caucus_algorithm *algorithm;
    struct caucus_engine *engine;    /* of its execution, or of its arena */
    struct caucus_schedule schedule; /* owned */
    struct caucus_execution *execution;
    struct caucus_arena *arena; /* owned; NULL: it runs in one that others use too */
    char *row; /* what the schedule sends, where it does not send what the user gave; else NULL */
    char name[CAUCUS_PREPARED_NAME]; /* "allreduce by ring" */
    /* For the cache: */
    struct caucus_key key; /* empty: it serves once */
    _Atomic bool busy;     /* a request or call uses it */
    struct caucus_bound bound;
    struct caucus_learned_entry *watch; /* of blocking calls of its kind; NULL: none is kept */
    bool is_idle;                       /* no rank has anything to do: it need not be run */
    bool kept;                          /* in the cache; else it is freed after use, or put there */
    uint64_t used;                      /* when last, for throwing out the oldest */
};

/* Chooses and works out. forced is the name of an algorithm, or "" for the context's settings and
 * the cost model. Uses the counts and the traffic that the work has only where persistent is set.
 * Local; all ranks choose alike. To be freed. */
int caucus_prepared_plan(struct caucus_work *work, struct caucus_context *context,
                         const char *forced, bool persistent, struct caucus_prepared **prepared);

/* The algorithms that may be taken, whose predicted time is at most factor times the least: first,
 * if it is not NULL, and then the cheapest ones in order; of those with the same schedule one. How
 * many there are; none where one is forced; -1 without memory, which a call between groups and one
 * with traffic need. Local; all ranks with memory come to the same. */
enum { CAUCUS_CANDIDATES = 4 };
int caucus_prepared_candidates(const struct caucus_work *work, const struct caucus_context *context,
                               const char *forced, bool persistent,
                               const struct caucus_algorithm *first, double factor,
                               struct caucus_candidate candidates[CAUCUS_CANDIDATES]);

/* The call's buffers, operation and datatype, bound to the schedule. Local. */
int caucus_prepared_describe(struct caucus_prepared *prepared, struct caucus_work *work,
                             int sending, struct caucus_binding *binding);

/* Makes the execution of what was described, which is taken over. Local. */
int caucus_prepared_run_in(struct caucus_prepared *prepared, struct caucus_engine *engine,
                           struct caucus_arena *arena, struct caucus_binding *binding);

/* The last two steps at once. */
int caucus_prepared_bind(struct caucus_prepared *prepared, struct caucus_work *work, int sending,
                         struct caucus_engine *engine, struct caucus_arena *arena);

/* Other buffers, of work with the same key. Inactive only. */
int caucus_prepared_rebind(struct caucus_prepared *prepared, struct caucus_work *work);

/* Inactive only; NULL does nothing. */
void caucus_prepared_free(struct caucus_prepared *prepared);

#endif
