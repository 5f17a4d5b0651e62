/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_COLLECTIVE_CALLS_H
#define CAUCUS_API_COLLECTIVE_CALLS_H

#include "api/collective/work.h"

/* Finds or makes what is kept with the call's communicator; collective where it is made. Returns an
 * error code of MPI, after the error handler was called. */
int caucus_call_open(const struct caucus_collective_call *call, struct caucus_team **team);

/* Checks a call's arguments and makes its task. Local; on success to be freed. */
int caucus_call_read(struct caucus_work *work, const struct caucus_collective_call *call,
                     struct caucus_team *team);

#endif
