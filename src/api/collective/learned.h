/* SPDX-License-Identifier: BSD-3-Clause */
/* What persistent inits have found out by measuring, kept with a communicator: for a kind of call
 * and a size class, the algorithm to take. All ranks keep the same, for inits are collective. */
#ifndef CAUCUS_API_COLLECTIVE_LEARNED_H
#define CAUCUS_API_COLLECTIVE_LEARNED_H

#include "api/collective/work.h"

struct caucus_learned;

/* Plain bytes without gaps; the same on all ranks, of work that all have agreed on. */
struct caucus_learned_key {
    int64_t collective, size_class, element, commutative, shares_memory;
};

enum { CAUCUS_LEARNED_NUMBERS = sizeof(struct caucus_learned_key) / sizeof(int64_t) };

/* False for what is never measured: where nothing moves, and reductions that may have other bits by
 * another algorithm, or call an operation of the user's. Local; all ranks come to the same. */
bool caucus_learned_key_of(const struct caucus_work *work, const struct caucus_context *context,
                           struct caucus_learned_key *key);

/* NULL: nothing was learned. learned may be NULL. */
const struct caucus_algorithm *caucus_learned_find(const struct caucus_learned *learned,
                                                   const struct caucus_learned_key *key);

/* How much was learned so far. */
int64_t caucus_learned_count(const struct caucus_learned *learned);

/* Makes room in *learned, if there is none. */
int caucus_learned_create(struct caucus_learned **learned);

/* What was not there; the oldest goes where there is no room. */
void caucus_learned_add(struct caucus_learned *learned, const struct caucus_learned_key *key,
                        const struct caucus_algorithm *algorithm);
void caucus_learned_free(struct caucus_learned *learned); /* NULL does nothing */

#endif
