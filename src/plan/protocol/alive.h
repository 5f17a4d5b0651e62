/* SPDX-License-Identifier: BSD-3-Clause */
/* The living members of a list agree on one group, over a parent that has dead ranks: all of them
 * get the same group or all get an error, with nobody else taking part.
 *
 * Each member reports up a tree that it has come (UP); the root fixes the group and proposes it
 * down the tree (PREP); it is acknowledged up (ACK) and committed down (COM): 4 (n - 1) messages in
 * 4 ceil(log2 n) rounds before the call is over. FIN up and REL down follow at leisure and end the
 * service that members owe each other; 2 (n - 1) more. Who dies is replaced by what alive_tree.h
 * says of those left. A new root takes over a proposal that it had acknowledged, unchanged.
 *
 * The setup is the same on all members. What must hold: deaths that are told are deaths; messages
 * between two members keep their order. What then holds (docs/development/groups.md tells how far
 * that was searched): all successes, those of members that died then too, are one and the same;
 * where one is, no living member has an error; a group has all that were alive when it was fixed;
 * who called is answered unless somebody never calls and there is no timeout.
 *
 * A member that was released must still be run until it is thrown away for good: it answers those
 * whom the one that was to release them left behind.
 *
 * Events: CALL with CAUCUS_ALIVE_BEGIN and a struct caucus_alive_name in its bytes, once;
 * afterwards CALL with CAUCUS_ALIVE_OBJECT where the lists of members are found to differ. DEATH
 * may come before the call. Actions: one DECIDE, whose bytes caucus_alive_outcome_read takes apart;
 * a second one, CAUCUS_ALIVE_RELEASED, when nobody needs the service any more. */
#ifndef CAUCUS_PLAN_PROTOCOL_ALIVE_H
#define CAUCUS_PLAN_PROTOCOL_ALIVE_H

#include "plan/protocol/protocol.h"

struct caucus_alive_setup {
    int32_t members;
    int64_t timeout; /* ns, of which a member that does not come uses half; 0: none */
    bool detects;    /* deaths are told. If not, who acknowledged and hears nothing ends in doubt */
    bool hears_all;  /* messages are taken from everybody at any time */
};

enum caucus_alive_call { CAUCUS_ALIVE_BEGIN, CAUCUS_ALIVE_OBJECT };

/* What tells the group from all others if this member fixes it. */
struct caucus_alive_name {
    uint64_t counter; /* of this member, never used twice */
    uint64_t nonce;
};

enum caucus_alive_code {
    CAUCUS_ALIVE_SUCCESS,
    CAUCUS_ALIVE_TIMEOUT,  /* the members named did not come */
    CAUCUS_ALIVE_MISMATCH, /* members have different lists */
    CAUCUS_ALIVE_EXCLUDED, /* others hold this member for dead */
    CAUCUS_ALIVE_IN_DOUBT, /* others may have the group or an error; its name is never used */
    CAUCUS_ALIVE_RELEASED  /* no outcome: see above */
};

struct caucus_alive_outcome {
    int32_t code;
    int32_t fixed_by; /* with name: what tells the group apart */
    struct caucus_alive_name name;
};

/* set has room for caucus_set_words(members): on success who is not in the group, else whom the
 * error names. False for what is no outcome. */
bool caucus_alive_outcome_read(const void *bytes, int64_t length, int32_t members,
                               struct caucus_alive_outcome *outcome, uint64_t *set);

/* The message that tells somebody whose list is another one to object: to be sent as one of his
 * list's. Returns its length, at most 64. */
int64_t caucus_alive_objection(unsigned char *bytes);

/* What somebody who was released, and keeps no state, answers to such a message. Returns the
 * answer's length, at most 64; 0 for none. */
int64_t caucus_alive_answer(const void *bytes, int64_t length, unsigned char *answer);

/* Whether this member has proposed a group by its own name, which others may still come to hold
 * even if its own outcome is an error. Until it is released. */
bool caucus_alive_has_proposed(const void *state);

/* Whom a member waits for and for which message, in words: ranks[i] is what member i is called.
 * Nothing if it waits for nobody. */
void caucus_alive_explain(const struct caucus_alive_setup *setup, const void *state,
                          const int32_t *ranks, char *text, int64_t size);

extern const struct caucus_protocol caucus_alive;

#endif
