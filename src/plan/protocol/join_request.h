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
 * Who does not want to wait any more says so, and waits on, for whoever hears of it answers at
 * once, without being looked at by its user:
 *
 *   WITHDRAWN  by who has asked
 *   FREE       the answer, if the wish had none yet. Else that one is under way, and holds: so both
 *              always know the same
 *
 * Only where even that is not heard, nothing but giving up is left. Who has given up may yet be
 * taken, and does not hear of it, if the other one answers before it has heard that the wish was
 * withdrawn. A late answer is told from that to a new wish by there being none: who has given up
 * asks that rank again when it has had the answer.
 *
 * Peers are ranks. A CALL's bytes are ranks (int32_t):
 *   ASK       one, not its own, which owes it no answer; when it has not asked, and was not taken
 *   TAKE      some of those who have asked, likewise
 *   REFUSE    one of those, likewise
 *   OPEN      none: this rank speaks for another group from now on; when it has not asked
 *   WITHDRAW  none: once for an ASK that has no answer
 *   GIVE_UP   none: of an ASK that has no answer, after WITHDRAW
 * One DECIDE for each ASK that is not given up: TAKEN, REFUSED or FREE, with the rank that came
 * with the answer, or DEAD, with that of who was asked. */
#ifndef CAUCUS_PLAN_PROTOCOL_JOIN_REQUEST_H
#define CAUCUS_PLAN_PROTOCOL_JOIN_REQUEST_H

#include "plan/protocol/protocol.h"

struct caucus_join_request_setup {
    int32_t ranks, me;
};

enum {
    CAUCUS_JOIN_REQUEST_ASK,
    CAUCUS_JOIN_REQUEST_TAKE,
    CAUCUS_JOIN_REQUEST_REFUSE,
    CAUCUS_JOIN_REQUEST_OPEN,
    CAUCUS_JOIN_REQUEST_WITHDRAW,
    CAUCUS_JOIN_REQUEST_GIVE_UP
}; /* of a CALL */

enum caucus_join_request_word {
    CAUCUS_JOIN_REQUEST_ASKED,
    CAUCUS_JOIN_REQUEST_TAKEN,
    CAUCUS_JOIN_REQUEST_REFUSED,
    CAUCUS_JOIN_REQUEST_WITHDRAWN,
    CAUCUS_JOIN_REQUEST_FREE,
    CAUCUS_JOIN_REQUEST_WORDS,
    CAUCUS_JOIN_REQUEST_DEAD = CAUCUS_JOIN_REQUEST_WORDS /* of a DECIDE alone */
};

struct caucus_join_request_message {
    int32_t word; /* also of a DECIDE */
    int32_t rank; /* with TAKEN the taker's, with REFUSED whom to ask instead, or -1 */
};

extern const struct caucus_protocol caucus_join_request_protocol;

/* Whom this rank has asked, and who has taken it; -1 if nobody. */
int32_t caucus_join_request_asked(const void *state);
int32_t caucus_join_request_taker(const void *state);

/* Whom a rank that has asked waits for, in words; nothing if it has not. withdrawn: it has told
 * that one that it does not want to wait any more. */
void caucus_join_request_explain(const void *state, bool withdrawn, char *text, int64_t size);

/* Whether the answer to a wish that was given up has not come yet from a rank. */
bool caucus_join_request_owes(const struct caucus_join_request_setup *setup, const void *state,
                              int32_t rank);

/* The lowest rank from `from` on whose wish waits for this one; -1 if there is none, or this one
 * may not answer now. */
int32_t caucus_join_request_next(const struct caucus_join_request_setup *setup, const void *state,
                                 int32_t from);

#endif
