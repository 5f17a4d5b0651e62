/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of members: bits in words that lie in a protocol's state, and the same in a message, where
 * whichever is shorter is sent: the bits, or the members one by one. */
#ifndef CAUCUS_PLAN_PROTOCOL_MEMBER_SET_H
#define CAUCUS_PLAN_PROTOCOL_MEMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t caucus_set_words(int32_t members) {
    return (members + INT64_C(63)) / 64;
}

static inline bool caucus_set_has(const uint64_t *set, int32_t member) {
    return set[member / 64] >> (member % 64) & 1;
}

static inline void caucus_set_add(uint64_t *set, int32_t member) {
    set[member / 64] |= UINT64_C(1) << (member % 64);
}

static inline void caucus_set_join(uint64_t *set, const uint64_t *other, int32_t members) {
    for (int64_t i = 0; i < caucus_set_words(members); i++)
        set[i] |= other[i];
}

static inline void caucus_set_clear(uint64_t *set, int32_t members) {
    for (int64_t i = 0; i < caucus_set_words(members); i++)
        set[i] = 0;
}

/* Most bytes of a set in a message. */
int64_t caucus_set_packed_limit(int32_t members);

/* Returns how many bytes were written. */
int64_t caucus_set_pack(const uint64_t *set, int32_t members, unsigned char *bytes);

/* False where the bytes are no set of so many members; set is worth nothing then. */
bool caucus_set_unpack(const unsigned char *bytes, int64_t length, int32_t members, uint64_t *set);

#endif
