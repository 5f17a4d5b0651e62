/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a list get one number for their group, or find out that their lists differ.
 *
 * Peers are ranks of the parent; the tree is the binomial one of positions in the member's own
 * list. Whoever runs it brings messages of two members together by the tag and by how many groups
 * with this tag and both of them in it each of the two has begun before: these two are at the same
 * creation, or somebody erred. A message of somebody whom this member's list lacks is held back.
 *
 *   checked      UP to the root, its number DOWN: 2 (n - 1) messages, 2 ceil(log2 n) hops. All that
 *                got the number have the same list.
 *   unchecked    DOWN alone: n - 1 messages, ceil(log2 n) hops. Who has another list than the one
 *                that told him gets an error; those before him do not learn of it.
 *
 *   settled      checked, and UP, STAY down the tree, YES up, DOWN: 4 (n - 1) messages, 4 ceil(log2
 * n) hops. Who has said YES gives up no more at its timeout, and nobody succeeds before all have
 * said it: so all succeed, or all get an error. All it takes is one member that asks for it, of
 * which the root learns by UP.
 *
 * Who finds another list tells all of its own (ERR), and so does everyone whom that reaches. Where
 * lists differ, trees do, and members might wait for each other in a ring; so who has waited for
 * `patience` tells those it waits for what its list is (ASK), once. Members that are all in each
 * other's lists then end, all with the error, whatever the lists are. Somebody who never comes ends
 * it by the timeout. Without settling one may give up as others succeed: who comes late finds the
 * UP of a member that has gone, and goes on, while ERR is under way. Deaths are never agreed on:
 * where that matters, see alive.h.
 *
 * flat         All others are right below the root, and need know nobody else: their lists are
 *                the root and they, and what the hash is of must not depend on the list.
 *
 * Events: CALL once, with the number that the group gets if this member is the root; its own number
 * is CAUCUS_CREATION_OBJECT where the member errs, and all of its list are to hear so. One DECIDE:
 * CAUCUS_CREATION_DONE with the number (8 bytes), else an error, with the rank (4 bytes) that did
 * not come, is dead, or has another list, as far as is known; -1. */
#ifndef CAUCUS_PLAN_PROTOCOL_CREATION_H
#define CAUCUS_PLAN_PROTOCOL_CREATION_H

#include "plan/protocol/protocol.h"

struct caucus_creation_setup {
    int32_t members;
    const int32_t *ranks; /* by position */
    int32_t me;           /* my position */
    bool checked;
    bool flat;
    uint64_t hash;    /* of the list and of whatever else must be the same */
    int64_t patience; /* ns; 0: never asks */
    int64_t timeout;  /* ns; 0: none */
    int64_t grace;    /* ns; whoever waits for somebody that may be waiting too gives up later by
                         this for each level between, so that who does not come is named by the one
                         that knows; 0: all give up at once */
    uint64_t wishes;  /* checked: the number that all get has the bits of all members' wishes */
    bool settles;     /* checked: this member, which has a timeout, wants it settled */
    int32_t (*position)(const void *list, int32_t rank); /* faster than by the ranks; or NULL */
    const void *list;
};

enum caucus_creation_code {
    CAUCUS_CREATION_DONE,
    CAUCUS_CREATION_MISMATCH,
    CAUCUS_CREATION_TIMEOUT,
    CAUCUS_CREATION_DEAD
};

enum { CAUCUS_CREATION_CREATE, CAUCUS_CREATION_OBJECT }; /* of a CALL */

enum { CAUCUS_CREATION_MESSAGE_BYTES = 24 };
enum caucus_creation_word {
    CAUCUS_CREATION_UP,
    CAUCUS_CREATION_DOWN,
    CAUCUS_CREATION_ERR,
    CAUCUS_CREATION_ASK,
    CAUCUS_CREATION_STAY, /* all have come: will you wait for the end, whatever it is? */
    CAUCUS_CREATION_YES,  /* all below me and I */
    CAUCUS_CREATION_WORDS
};

extern const struct caucus_protocol caucus_creation;

/* Whom a member waits for and for which message, in words; nothing if it waits for nobody. */
void caucus_creation_explain(const struct caucus_creation_setup *setup, const void *state,
                             char *text, int64_t size);

/* Which of them a message is, for who lets something ride on it. Of several that are there from one
 * member an ERR may be heard first, and had better be: who comes late would else find what its
 * sender had said before it gave up, and succeed alone. */
enum caucus_creation_word caucus_creation_word_of(const void *message);

/* CAUCUS_CREATION_MESSAGE_BYTES by which this rank tells a member of its list, of this hash, that
 * it cannot take part, without any state. */
void caucus_creation_refusal(void *message, uint64_t hash, int32_t rank);

#endif
