/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind a caucus_request. */
#ifndef CAUCUS_API_COLLECTIVE_REQUEST_H
#define CAUCUS_API_COLLECTIVE_REQUEST_H

#include "api/collective/cache.h"
#include <mpi.h>

#include <caucus/request.h>

#include <stdatomic.h>

struct caucus_pending;

/* It is inactive, or active: pending first, perhaps, then running, then complete. */
struct caucus_request_object {
    struct caucus_context *context; /* held */
    MPI_Op op;                      /* held */
    bool persistent;
    bool active;         /* started, and not yet waited for */
    bool told;           /* of an active one: its user knows that it is complete */
    _Atomic bool looked; /* at an active one, since what it waits for was last moved on */
    struct caucus_pending *_Atomic pending; /* it has not begun to run, or will not (pending.h) */
    struct caucus_prepared
        *prepared;         /* owned; of one that is pending, only what is known by then */
    _Atomic bool complete; /* of an active one: it has run to its end, with: */
    int status;            /* and, of a failure, */
    char *text;            /* its words */
    int counts_for; /* 1 + the call of the drop-in's that is counted when its schedule is there; or
                       0 */
};

/* An empty request of the context; it holds the context and op. NULL without memory. */
struct caucus_request_object *caucus_request_create(struct caucus_context *context, MPI_Op op);

/* Lets go of context and op, and gives what it has prepared back to the cache. Inactive, or
 * complete.
 */
void caucus_request_destroy(struct caucus_request_object *request);

/* It has run to its end; status is how, with the thread's text of a failure. */
void caucus_request_end(struct caucus_request_object *request, int status);

/* Moves an active request on; afterwards its `complete` tells. */
void caucus_request_advance(struct caucus_request_object *request);

/* The same of several in one call: the first moves all others on, too, so that these are only
 * looked at. *moved: false before the first. */
void caucus_request_advance_among(struct caucus_request_object *request, bool *moved);

/* The same for a user who only wants to know whether it is complete, and may free it then. */
bool caucus_request_look(struct caucus_request_object *request, bool *moved);

/* Until an active request is complete. */
void caucus_request_await(struct caucus_request_object *request);

/* In a loop that waits for several of which none is complete: fails this one where the loop has
 * lasted longer than CAUCUS_TIMEOUT since *begin, which is 0 at first. */
void caucus_request_limit(struct caucus_request_object *request, double *begin);

/* Takes a complete request off the user's hands: a persistent one becomes inactive, another is
 * freed and the handle null. Returns how it ended, with the failure's text if it failed. */
int caucus_request_finish(caucus_request *request);

/* The empty status, unless it is to be ignored. */
void caucus_status_clear(MPI_Status *status);

bool caucus_request_is_active(caucus_request request);

/* As caucus_context_raise; request may be NULL. */
int caucus_request_raise(const struct caucus_request_object *request, const char *function,
                         int status);

/* Whether a request may be started; and starts it. */
int caucus_request_check_start(caucus_request request);
int caucus_request_begin(caucus_request request);

/* Operations of the user's that requests use: MPI has no way to keep one that he frees, so freeing
 * is put off until the last request has let go. MPI's own and MPI_OP_NULL need no holding: nothing
 * happens then. */
int caucus_operation_hold(MPI_Op op);
void caucus_operation_let_go(MPI_Op op);

#endif
