/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind a caucus_request. */
#ifndef CAUCUS_API_COLLECTIVE_REQUEST_H
#define CAUCUS_API_COLLECTIVE_REQUEST_H

#include "api/collective/standing.h"

#include <caucus/request.h>

#include <stdatomic.h>

struct caucus_errand;
struct caucus_queued;
struct caucus_staged;

struct caucus_request_object {
    struct caucus_team *team; /* held */
    MPI_Op op;                /* held */
    bool persistent;
    bool active;                     /* started, and not yet waited for */
    bool told;                       /* of an active one: its user knows that it is complete */
    _Atomic bool complete;           /* of an active one: it has run to its end, with: */
    int status;                      /* and, of a failure, */
    char *text;                      /* its words */
    struct caucus_prepared prepared; /* persistent, or nonblocking without an attachment */
    struct caucus_arena *arena;      /* persistent */
    void *key; /* persistent: what it serves again, once it is freed; or NULL */
    size_t key_bytes;
    struct caucus_work *rebuilt; /* persistent, what its schedule is worked out from at every
                                    start; else NULL */
    struct caucus_entry *entry;  /* nonblocking */
    struct caucus_queued *_Atomic queued; /* not begun yet: its communicator is being duplicated */
    struct caucus_staged *_Atomic staged; /* or it waits for counts of other ranks */
    struct caucus_errand *_Atomic errand; /* or it is no collective (errands.h) */
    int counts_for; /* 1 + the call of the drop-in's that is counted when its schedule is there; or
                       0 */
};

/* An empty request of the team; it holds the team and op. NULL without memory. */
struct caucus_request_object *caucus_request_create(struct caucus_team *team, MPI_Op op);

/* Lets go of all that it has, and of team and op. Inactive, or complete. */
void caucus_request_drop(struct caucus_request_object *request);

/* The same, but what may serve again goes on the team's shelf. */
void caucus_request_destroy(struct caucus_request_object *request);

/* For the shelf: one that holds neither team nor op is given them again, or freed. On failure of
 * the former it is freed too. */
int caucus_request_hold(struct caucus_request_object *request, struct caucus_team *team, MPI_Op op);
void caucus_request_discard(struct caucus_request_object *request);

/* It has run to its end; status is how, with the thread's text of a failure. */
void caucus_request_end(struct caucus_request_object *request, int status);

/* Moves an active request on; afterwards its `complete` tells. */
void caucus_request_advance(struct caucus_request_object *request);

/* The same for a user who only wants to know whether it is, and may free it then. */
bool caucus_request_look(struct caucus_request_object *request);

/* Until an active request is complete. */
void caucus_request_await(struct caucus_request_object *request);

/* In a loop that waits for several of which none is complete: fails this one where the loop has
 * lasted longer than CAUCUS_TIMEOUT since *begin, which is 0 at first. */
void caucus_request_limit(struct caucus_request_object *request, double *begin);

/* Takes a complete request off the user's hands: a persistent one becomes inactive, another is
 * freed and the handle null. Returns how it ended, with the failure's text if it failed. */
int caucus_request_finish(caucus_request *request);

#endif
