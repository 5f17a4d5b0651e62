/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank passes the time until another has done something. */
#ifndef CAUCUS_RUN_WAITING_H
#define CAUCUS_RUN_WAITING_H

#include "run/engine.h"

#include <stdbool.h>

/* Has MPI look after its own messages, which others may wait for: they move on only while somebody
 * calls MPI. */
void caucus_waiting_poke(const struct caucus_engine *engine);

/* Between two looks, of which round have been in vain. Spinning is best while everybody has a
 * processor; where several share one, long waits nap. */
void caucus_waiting_pause(const struct caucus_engine *engine, int64_t round);

/* The same for a few short messages of MPI's that follow one another, where a nap would take longer
 * than all of them. Some MPIs give the processor away whenever they have found nothing, and look
 * before that, not afterwards: so it is not given away after every look. */
void caucus_waiting_brief(const struct caucus_engine *engine, int64_t round);

/* After a wait of so many rounds: how long the next ones spin. */
void caucus_waiting_learn(struct caucus_engine *engine, int64_t rounds);

/* Between two looks: all active executions of this process move on, and what it owes. also, if not
 * NULL, moves on what is not active yet and tells whether anything is left of that. Returns whether
 * anything is left, so that a wait must not be MPI's. */
bool caucus_waiting_move(bool (*also)(void));

/* Until an MPI request is through, while everything moves on. */
int caucus_waiting_request(MPI_Request *request, bool (*also)(void));

/* The same, with what MPI says of it. */
int caucus_waiting_status(MPI_Request *request, bool (*also)(void), MPI_Status *said);

/* Nobody waits for it any more: a receive is cancelled. */
void caucus_waiting_abandon(MPI_Request *request);

#endif
