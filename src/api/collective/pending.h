/* SPDX-License-Identifier: BSD-3-Clause */
/* What an active request waits for before it runs, or instead of running: its group, counts of
 * other ranks, a call of MPI's own, a group or communicator that is being made. It moves on by
 * being looked at, until it is complete; then the request runs what it has prepared by then, if
 * that is anything, and is complete otherwise. */
#ifndef CAUCUS_API_COLLECTIVE_PENDING_H
#define CAUCUS_API_COLLECTIVE_PENDING_H

#include "api/collective/request.h"

struct caucus_waits;

/* The head of whatever it is. */
struct caucus_pending {
    /* Goes on without waiting; fails for good. */
    int (*advance)(struct caucus_pending *pending, bool *complete);
    /* As caucus_request_limit, of what it waits for; NULL: it sees to that itself. */
    void (*limit)(struct caucus_pending *pending, double *begin);
    /* What is left when it is complete, or NULL: may wait for other ranks, while other threads
     * begin and look at theirs. */
    int (*finish)(struct caucus_pending *pending);
    /* Tells what it waits for, if anybody asks, or NULL. */
    void (*tell)(const struct caucus_pending *pending, struct caucus_waits *waits);
    void (*free)(struct caucus_pending *pending); /* complete, or failed */
    bool in_order; /* not looked at before those of its context that have begun before it; it has
                      no finish */
    struct caucus_request_object *request;
    struct caucus_pending *next;
};

/* Behind a request that is there, which is active from then on. Takes it over. */
void caucus_pending_add(struct caucus_pending *pending, struct caucus_request_object *request);

/* Moves on what is in order of one context, which has nothing that may wait. */
void caucus_pending_look_at(const struct caucus_context *context);

/* As caucus_request_limit, for a request with something pending. */
void caucus_pending_limit(const struct caucus_request_object *request, double *begin);

/* Nonblocking calls that must know counts of others first, which nobody waits for. The exchanges of
 * a context follow one another in their arena. A collective begins when its counts have come and
 * the one before it has begun, so that all ranks begin them in the order of the calls; they have
 * arenas of their own, for calls of other kinds begin at once. Takes the work over. Local. */
int caucus_pending_counts_begin(struct caucus_context *context, struct caucus_work *work,
                                struct caucus_request_object *request);

/* Nonblocking calls on a group that is not attached. They must not wait for other members, so they
 * run, in their order, once the group is made: by messages only, until a call that may block
 * attaches it. On a communicator such calls are MPI's own (native.h). request: NULL where there is
 * no memory for it, which is an error here. Local. */
int caucus_pending_group_begin(const struct caucus_collective_call *call,
                               struct caucus_context *context,
                               struct caucus_request_object *request);

/* The datatype of operands, which the user may free before the request runs: where it is not one of
 * MPI's own, a duplicate takes its place, in *own too. */
int caucus_pending_type(MPI_Datatype *type, MPI_Datatype *own);

#endif
