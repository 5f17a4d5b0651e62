/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that ask others to be taken into them. Each speaks by one member, and is known by its
 * rank.
 *
 *   ASK      to another group: may we be a part of you
 *   TAKEN    the answer, when that one has looked: we are one now, and you speak no more
 *   REFUSED  the other answer, with a rank that it may be worth while to ask instead, or -1
 *
 * Who has asked waits for the answer, and takes in nobody meanwhile. So groups that wait for each
 * other must not be a ring: who has asked refuses at once whoever has a greater rank than its own,
 * and lets the others wait until its own answer is there. Ranks rise along every chain of waiting
 * groups towards the one that is waited for, hence it ends at one that has not asked, who answers
 * sooner or later. Two that ask each other are the smallest ring: the smaller rank is refused by
 * nobody, the greater one is, and has the other's wish to look at.
 *
 * No wish is lost: a group that is taken refuses all who have asked it, and names who took it, and
 * so it does with those who ask later.
 *
 * Each wish has one answer: 2 messages, on which lists of members ride (plan/group/merge.h).
 *
 * Peers are ranks. A CALL's bytes are ranks (int32_t):
 *   ASK     one, not its own; when it has not asked, and was not taken
 *   TAKE    some of those who have asked, likewise
 *   REFUSE  one of those, likewise
 *   OPEN    none: this rank speaks for another group from now on; when it has not asked
 * One DECIDE for each ASK: TAKEN or REFUSED, with the rank that came with the answer. */
#ifndef CAUCUS_PLAN_PROTOCOL_ASKING_H
#define CAUCUS_PLAN_PROTOCOL_ASKING_H

#include "plan/protocol/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_asking_setup {
    int32_t ranks, me;
};

enum {
    CAUCUS_ASKING_ASK,
    CAUCUS_ASKING_TAKE,
    CAUCUS_ASKING_REFUSE,
    CAUCUS_ASKING_OPEN
}; /* of a CALL */

enum caucus_asking_word {
    CAUCUS_ASKING_ASKED,
    CAUCUS_ASKING_TAKEN,
    CAUCUS_ASKING_REFUSED,
    CAUCUS_ASKING_WORDS
};

struct caucus_asking_message {
    int32_t word; /* also of a DECIDE */
    int32_t rank; /* with TAKEN the taker's, with REFUSED whom to ask instead, or -1 */
};

extern const struct caucus_protocol caucus_asking_protocol;

/* Whom this rank has asked, and who has taken it; -1 if nobody. */
int32_t caucus_asking_asked(const void *state);
int32_t caucus_asking_taker(const void *state);

/* The lowest rank from `from` on whose wish waits for this one; -1 if there is none, or this one
 * may not answer now. */
int32_t caucus_asking_next(const struct caucus_asking_setup *setup, const void *state,
                           int32_t from);

#ifdef __cplusplus
}
#endif

#endif
