/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out by measuring, kept with a communicator: for a kind of call and a size class,
 * the algorithm to take. All ranks keep the same, and in the same order, for the calls are
 * collective. */
#ifndef CAUCUS_API_COLLECTIVE_LEARNED_H
#define CAUCUS_API_COLLECTIVE_LEARNED_H

#include "api/collective/work.h"
#include "plan/choice/choice.h"

enum { CAUCUS_LEARNED_MOST = 256 };

struct caucus_learned;

struct caucus_learned_entry {
    struct caucus_choice_key key;
    int64_t calls;                            /* blocking ones, while nothing is settled */
    bool is_settled, is_kept;                 /* the latter for later runs */
    const struct caucus_algorithm *algorithm; /* then; NULL: as the model chooses */
    bool is_mpis; /* MPI's own blocking call is faster than all that there is here */
};

/* False for what is not measured: where nothing moves, reductions that call an operation of the
 * user's, and those that may have other bits by another algorithm, once such a one has gone by the
 * model, or where the choice does not hold for later runs. Local; all ranks come to the same. */
bool caucus_learned_key_of(const struct caucus_work *work, const struct caucus_context *context,
                           bool persistent, struct caucus_choice_key *key);

/* A call that nothing is learned of. A sum of rounded numbers has the same bits whenever and in
 * what form it is called: none of its kind and size class is measured on this communicator any
 * more. */
void caucus_learned_goes_by_model(const struct caucus_work *work, struct caucus_context *context);

int caucus_learned_create(struct caucus_learned **learned);
void caucus_learned_free(struct caucus_learned *learned); /* NULL does nothing */

/* NULL where there is none, or where nothing is learned at all. */
struct caucus_learned_entry *caucus_learned_find(struct caucus_learned *learned,
                                                 const struct caucus_choice_key *key);

/* The same, but a new one where there is none; NULL only where there is no room for another. It
 * stays where it is. */
struct caucus_learned_entry *caucus_learned_open(struct caucus_learned *learned,
                                                 const struct caucus_choice_key *key);

/* What was measured, to be kept in a file: up to CAUCUS_LEARNED_MOST. */
int64_t caucus_learned_choices(const struct caucus_learned *learned, struct caucus_choice *choices);

/* How much is settled so far, and by MPI's own calls. learned may be NULL. */
int64_t caucus_learned_count(const struct caucus_learned *learned);
int64_t caucus_learned_mpis(const struct caucus_learned *learned);

#endif
