/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking calls on a communicator that is not attached. They must not wait for other ranks, so
 * the communicator is duplicated by MPI_Comm_idup and the calls begin, in their order, when that is
 * done: by messages only, until a call that may block attaches the communicator. */
#ifndef CAUCUS_API_COLLECTIVE_QUEUED_H
#define CAUCUS_API_COLLECTIVE_QUEUED_H

#include "api/collective/request.h"

struct caucus_early;

/* Finds what is kept with comm, or begins to make it without waiting. Collective in the sense of
 * nonblocking calls. */
int caucus_team_early(MPI_Comm comm, struct caucus_team **team);

/* The same for a group's team, which is there: begins what its calls need. */
int caucus_team_early_group(struct caucus_team *team);

/* Begins a nonblocking call of a team that has no engine, or queues it. Local. */
int caucus_queued_begin(const struct caucus_collective_call *call, struct caucus_team *team,
                        struct caucus_request_object *request);

/* Whether any call of this process waits for its communicator, or for counts (staged.h). */
bool caucus_queued_any(void);

/* Begins those whose communicator or counts are there by now; whether any is left. Local. */
bool caucus_queued_progress(void);

/* caucus_execution_wait, while queued calls move on too. */
int caucus_queued_wait(struct caucus_execution *execution);

/* Until no duplicate of comm is being made, while everything active moves on: Open MPI 5.0.11 fails
 * where another collective meets an unfinished MPI_Comm_idup on a communicator. */
void caucus_early_await(MPI_Comm comm);

/* NULL does nothing. */
void caucus_early_free(struct caucus_early *early);

#endif
