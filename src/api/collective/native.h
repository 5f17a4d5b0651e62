/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking calls on a communicator that is not attached. They must not wait for other ranks, and
 * attaching does; so they are MPI's own, behind a request of ours. All ranks see the same: what
 * attaches is collective. */
#ifndef CAUCUS_API_COLLECTIVE_NATIVE_H
#define CAUCUS_API_COLLECTIVE_NATIVE_H

#include "api/collective/call.h"

struct caucus_context;

/* Begins MPI's own nonblocking collective, or runs the blocking one; returns what MPI does. Arrays
 * have entries of int, or if large of MPI_Count and MPI_Aint, and stay until it is complete. */
struct caucus_native {
    const char *name;
    int (*begin)(const struct caucus_collective_call *call, bool large, MPI_Request *request);
    int (*run)(const struct caucus_collective_call *call);
};

/* Made by tools/generate_collectives.py. */
extern const struct caucus_native caucus_natives[CAUCUS_COLLECTIVES];

/* Checks the call as any other and begins it. Local. Returns an error code of MPI, after the error
 * handler was called. */
int caucus_native_begin(const struct caucus_collective_call *call, struct caucus_context *context);

/* Runs MPI's own blocking one, whose arguments are good and fit into ints, on copies of what lies
 * on devices. Local status. */
int caucus_native_run(const struct caucus_collective_call *call, struct caucus_context *context);

/* Until all that were begun are complete, while everything moves on. */
void caucus_native_await(const struct caucus_context *context);

#endif
