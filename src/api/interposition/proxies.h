/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of Caucus under the guise of MPI's: what an unmodified program holds. Each is known by a
 * native one that is made to be refused where it reaches MPI around the drop-in, which would take
 * it for complete and the data for there: a generalized request that is complete, whose functions
 * are called by whatever takes notice of that, and raise an error in words. To start it is an error
 * of MPI's own. */
#ifndef CAUCUS_API_INTERPOSITION_PROXIES_H
#define CAUCUS_API_INTERPOSITION_PROXIES_H

#include "api/calls/calls.h"

#include <caucus/request.h>

#include <mpi.h>
#include <stdbool.h>

struct caucus_proxy {
    caucus_request request;
    MPI_Request handle;
    bool refused;          /* somebody has been told so */
    bool ends;             /* the native one is being freed, by us */
    enum caucus_call call; /* what made it */
};

/* A handle without a request behind it yet, so that nothing can fail once there is one; NULL, with
 * caucus_error_text() set, where there is no memory. To be given back by caucus_proxy_release. */
struct caucus_proxy *caucus_proxy_create(enum caucus_call call);

/* What is behind a handle; NULL for a native one. Valid until it is released: a handle is used by
 * one thread at a time, as MPI demands. Local, any thread; cheap where there is none at all. */
struct caucus_proxy *caucus_proxy_find(MPI_Request handle);

/* Whether any of the handles is ours. */
bool caucus_proxy_among(int count, const MPI_Request handles[]);

/* Whether there are any at all. */
bool caucus_proxies_exist(void);

/* The request behind it is gone. */
void caucus_proxy_release(struct caucus_proxy *proxy);

/* After a request was completed: where it is gone, so is the handle, and becomes
 * MPI_REQUEST_NULL. */
void caucus_proxy_completed(struct caucus_proxy *proxy, MPI_Request *handle);

/* Around a nonblocking or persistent call that is taken over: what it gets for its request, which
 * tells it to fail where there is no memory for a proxy, so that all ranks come through it. Then,
 * with what it returned: gives the handle to *request if all is well, and an error code of MPI. */
caucus_request *caucus_taken_begin(enum caucus_call call, MPI_Comm comm, const void *request,
                                   struct caucus_proxy **proxy);
int caucus_taken_end(enum caucus_call call, struct caucus_proxy *proxy, int code, MPI_Comm comm,
                     MPI_Request *request);

/* When MPI is finalized: gives all native requests back. */
void caucus_proxies_end(void);

#endif
