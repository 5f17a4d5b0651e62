/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/member_set.h"

#include <string.h>

/* The first byte says which form follows. */
enum { FORM_LIST, FORM_BITS };

int64_t caucus_set_packed_limit(int32_t members) {
    return 1 + (members + INT64_C(7)) / 8;
}

int64_t caucus_set_pack(const uint64_t *set, int32_t members, unsigned char *bytes) {
    int64_t bits_length = caucus_set_packed_limit(members), length = 1;
    bytes[0] = FORM_LIST;
    for (int32_t i = 0; i < members; i++) {
        if (!caucus_set_has(set, i))
            continue;
        if (length + (int64_t)sizeof i > bits_length) {
            memset(bytes, 0, (size_t)bits_length);
            bytes[0] = FORM_BITS;
            for (int32_t k = 0; k < members; k++)
                if (caucus_set_has(set, k))
                    bytes[1 + k / 8] |= (unsigned char)(1U << (k % 8));
            return bits_length;
        }
        memcpy(bytes + length, &i, sizeof i);
        length += (int64_t)sizeof i;
    }
    return length;
}

bool caucus_set_unpack(const unsigned char *bytes, int64_t length, int32_t members, uint64_t *set) {
    caucus_set_clear(set, members);
    if (length < 1)
        return false;
    if (bytes[0] == FORM_BITS) {
        if (length != caucus_set_packed_limit(members))
            return false;
        for (int32_t k = 0; k < 8 * (length - 1); k++) {
            bool is_in = bytes[1 + k / 8] >> (k % 8) & 1;
            if (is_in && k >= members)
                return false;
            if (is_in)
                caucus_set_add(set, k);
        }
        return true;
    }
    if (bytes[0] != FORM_LIST || (length - 1) % (int64_t)sizeof(int32_t) != 0)
        return false;
    for (int64_t at = 1; at < length; at += (int64_t)sizeof(int32_t)) {
        int32_t member;
        memcpy(&member, bytes + at, sizeof member);
        if (member < 0 || member >= members)
            return false;
        caucus_set_add(set, member);
    }
    return true;
}
