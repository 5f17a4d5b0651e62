/* SPDX-License-Identifier: BSD-3-Clause */
/* What members tell each other in alive.h: one form for all, 32 bytes and a set. */
#ifndef CAUCUS_PLAN_PROTOCOL_ALIVE_MESSAGE_H
#define CAUCUS_PLAN_PROTOCOL_ALIVE_MESSAGE_H

#include "plan/protocol/alive.h"
#include "plan/protocol/member_set.h"

enum caucus_alive_kind {
    CAUCUS_ALIVE_UP,   /* all below me that live have come; the set: who is dead */
    CAUCUS_ALIVE_PREP, /* ballot proposes an outcome; the set is the outcome's */
    CAUCUS_ALIVE_ACK,  /* all below me that live know ballot's proposal */
    CAUCUS_ALIVE_COM,  /* the outcome; the set is the outcome's */
    CAUCUS_ALIVE_FIN,  /* all below me that live have the outcome */
    CAUCUS_ALIVE_REL,  /* everybody that lives has the outcome */
    CAUCUS_ALIVE_HERE, /* the set: who has come, as far as I know */
    CAUCUS_ALIVE_OBJ,  /* there are other lists of members */
    CAUCUS_ALIVE_KINDS
};

struct caucus_alive_message {
    int32_t kind;
    int32_t ballot; /* the root that proposes; PREP and ACK, else 0 */
    struct caucus_alive_outcome outcome;
};

/* Most bytes of a message of a list of so many members. */
int64_t caucus_alive_message_limit(int32_t members);

/* Returns how many bytes were written. set may be NULL: empty. */
int64_t caucus_alive_message_pack(const struct caucus_alive_message *message, const uint64_t *set,
                                  int32_t members, unsigned char *bytes);
bool caucus_alive_message_unpack(const void *bytes, int64_t length, int32_t members,
                                 struct caucus_alive_message *message, uint64_t *set);

void caucus_alive_message_describe(const void *bytes, int64_t length, char *text, int64_t size);

#endif
