/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking calls that must know counts of others first, which nobody waits for: they have two
 * stages, the exchange and the collective itself. The exchanges of a team follow one another in
 * their arena. A collective begins when its counts have come and the one before it has begun, so
 * that all ranks begin them in the order of the calls; they have arenas of their own, for calls of
 * other kinds begin at once. */
#ifndef CAUCUS_API_COLLECTIVE_STAGED_H
#define CAUCUS_API_COLLECTIVE_STAGED_H

#include "api/collective/request.h"

/* Begins the first stage; takes the work over. Local. */
int caucus_staged_begin(struct caucus_team *team, struct caucus_work *work,
                        struct caucus_request_object *request);

/* Whether any call of this process waits for its counts. */
bool caucus_staged_any(void);

/* Begins the collectives whose counts have come. Local. */
void caucus_staged_progress(void);

/* As caucus_execution_limit, for the exchanges that a request waits for. */
void caucus_staged_limit(const struct caucus_request_object *request, double *begin);

#endif
