/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_COLLECTIVE_CALLS_H
#define CAUCUS_API_COLLECTIVE_CALLS_H

#include "api/collective/work.h"

/* Finds or makes what is kept with the call's communicator or group; collective where it is made.
 */
int caucus_call_open(const struct caucus_collective_call *call, struct caucus_context **context);

/* How the call ends: MPI_SUCCESS, or the code of what it raises. context may be NULL. */
int caucus_call_conclude(const struct caucus_collective_call *call,
                         const struct caucus_context *context, bool agreed, int status);

/* MPI's rules, as far as one rank can tell: no message. Whether there is such a collective where
 * there are two groups; whether the arguments are good, with a text that names what is not, and
 * what was expected of it. The neighbours are known where it has any. */
int caucus_call_check_groups(const struct caucus_collective_call *call,
                             const struct caucus_context *context);
int caucus_call_check(const struct caucus_collective_call *call,
                      const struct caucus_context *context);

/* What call->request points to where there is no memory for what is behind the request's handle:
 * the call fails for it, and where ranks agree, all hear of it. */
extern caucus_request caucus_call_no_request;

/* The part of the latter that is about the request. */
int caucus_call_check_request(const struct caucus_collective_call *call);

/* Whether a datatype can be used for communication, as far as is known; block: its index, or -1. */
int caucus_check_type(MPI_Datatype type, const char *name, int32_t block,
                      const struct caucus_context *context);

/* MPI_BOTTOM is a null pointer in most MPIs: it is right where a datatype or a displacement leads
 * away from it. */
bool caucus_leads_away(MPI_Datatype type, int64_t displacement);

/* Checks a call's arguments and makes its task. Local; on success to be freed. */
int caucus_call_read(struct caucus_work *work, const struct caucus_collective_call *call,
                     struct caucus_context *context);

#endif
