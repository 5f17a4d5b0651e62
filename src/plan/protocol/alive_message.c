/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/alive_message.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = (int)sizeof(struct caucus_alive_message) };
_Static_assert(sizeof(struct caucus_alive_message) == 32, "no gaps in what is sent");

int64_t caucus_alive_message_limit(int32_t members) {
    return HEAD + caucus_set_packed_limit(members);
}

int64_t caucus_alive_message_pack(const struct caucus_alive_message *message, const uint64_t *set,
                                  int32_t members, unsigned char *bytes) {
    memcpy(bytes, message, HEAD);
    if (!set) {
        bytes[HEAD] = 0; /* a list of none */
        return HEAD + 1;
    }
    return HEAD + caucus_set_pack(set, members, bytes + HEAD);
}

bool caucus_alive_message_unpack(const void *bytes, int64_t length, int32_t members,
                                 struct caucus_alive_message *message, uint64_t *set) {
    if (length <= HEAD)
        return false;
    memcpy(message, bytes, HEAD);
    return message->kind >= 0 && message->kind < CAUCUS_ALIVE_KINDS && message->ballot >= 0 &&
           message->ballot < members && message->outcome.code >= 0 &&
           message->outcome.code < CAUCUS_ALIVE_RELEASED && message->outcome.fixed_by >= 0 &&
           message->outcome.fixed_by < members &&
           caucus_set_unpack((const unsigned char *)bytes + HEAD, length - HEAD, members, set);
}

bool caucus_alive_outcome_read(const void *bytes, int64_t length, int32_t members,
                               struct caucus_alive_outcome *outcome, uint64_t *set) {
    struct caucus_alive_message message;
    if (!caucus_alive_message_unpack(bytes, length, members, &message, set))
        return false;
    *outcome = message.outcome;
    return message.kind == CAUCUS_ALIVE_COM;
}

int64_t caucus_alive_objection(unsigned char *bytes) {
    struct caucus_alive_message message = {.kind = CAUCUS_ALIVE_OBJ};
    return caucus_alive_message_pack(&message, NULL, 1, bytes);
}

int64_t caucus_alive_answer(const void *bytes, int64_t length, unsigned char *answer) {
    struct caucus_alive_message message, release = {.kind = CAUCUS_ALIVE_REL};
    if (length <= HEAD)
        return 0;
    memcpy(&message, bytes, HEAD);
    if (message.kind < 0 || message.kind >= CAUCUS_ALIVE_KINDS || message.kind == CAUCUS_ALIVE_REL)
        return 0;
    return caucus_alive_message_pack(&release, NULL, 1, answer);
}

void caucus_alive_message_describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"UP", "PREP", "ACK", "COM", "FIN", "REL", "HERE", "OBJ"};
    enum { SHOWN = 64 };
    struct caucus_alive_message message;
    uint64_t set = 0;
    text[0] = '\0';
    if (!caucus_alive_message_unpack(bytes, length, SHOWN, &message, &set)) {
        snprintf(text, (size_t)size, "%lld bytes", (long long)length);
        return;
    }
    snprintf(text, (size_t)size, "%s ballot %d, code %d, by %d, set %llx", names[message.kind],
             (int)message.ballot, (int)message.outcome.code, (int)message.outcome.fixed_by,
             (unsigned long long)set);
}
