/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks of an engine find out together whether all of them have the same and are ready: through
 * lines of node memory, and one small message of MPI's between nodes. It says yes or no, and never
 * why: caucus_agree() finds the words, where it is worth the time. */
#ifndef CAUCUS_RUN_MEETING_H
#define CAUCUS_RUN_MEETING_H

#include "run/engine.h"

struct caucus_meeting;

/* Collective over the engine's attachment, whose nodes and memory are known. *meeting is NULL, on
 * all ranks alike, where nodes share memory otherwise than their leaders could speak for. */
int caucus_meeting_create(struct caucus_engine *engine, struct caucus_meeting **meeting);
void caucus_meeting_free(struct caucus_meeting *meeting); /* NULL does nothing */

/* Collective, in the same order on all ranks; all active executions move on meanwhile, and what
 * also() moves on. Returns, the same on all ranks, whether every one was ready and had this digest;
 * then *offer is that of the lowest rank which shares memory with this one. False without a
 * meeting, and where MPI fails. */
bool caucus_meet(struct caucus_engine *engine, bool ready, uint64_t digest, bool (*also)(void),
                 int64_t *offer);

#endif
