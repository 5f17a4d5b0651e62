/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a nonblocking or persistent call that was taken over: its request gets a handle. */
#ifndef CAUCUS_API_MIXED_TAKEN_H
#define CAUCUS_API_MIXED_TAKEN_H

#include "api/mixed/proxies.h"

/* Before the call: a handle to be, and where the call is to put its request; NULL where there is no
 * memory. */
struct caucus_proxy *caucus_taken_begin(enum caucus_call call);

/* After it, with what it returned, or with no proxy: gives the handle to *request if all is well,
 * and an error code of MPI. */
int caucus_taken_end(struct caucus_proxy *proxy, int code, MPI_Comm comm, MPI_Request *request);

#endif
