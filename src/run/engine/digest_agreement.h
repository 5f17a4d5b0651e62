/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks of an engine find out together whether all of them have the same and are ready: through
 * lines of node memory, and one small message of MPI's between nodes. It says yes or no, and never
 * why: caucus_agree() finds the words, where it is worth the time. */
#ifndef CAUCUS_RUN_ENGINE_DIGEST_AGREEMENT_H
#define CAUCUS_RUN_ENGINE_DIGEST_AGREEMENT_H

#include "run/engine/engine.h"

struct caucus_digest_agreement;

/* Collective over the engine's attachment, whose nodes and memory are known. *agreement is NULL, on
 * all ranks alike, where nodes share memory otherwise than their leaders could speak for. */
int caucus_digest_agreement_create(struct caucus_engine *engine,
                                   struct caucus_digest_agreement **agreement);
void caucus_digest_agreement_free(
    struct caucus_digest_agreement *agreement); /* NULL does nothing */

/* Collective, in the same order on all ranks; everything active moves on meanwhile. Returns, the
 * same on all ranks, whether every one was ready and had this digest; then *offer is that of the
 * lowest rank which shares memory with this one. False where the engine has no agreement, and where
 * MPI fails. */
bool caucus_digest_agree(struct caucus_engine *engine, bool ready, uint64_t digest, int64_t *offer);

#endif
