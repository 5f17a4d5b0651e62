/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/letters.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 2 }; /* numbers before each piece */

int caucus_letters_init(struct caucus_letters *letters, int32_t leaders) {
    *letters = (struct caucus_letters){.leaders = leaders};
    letters->start = caucus_array((int64_t)leaders + 1, sizeof *letters->start);
    return letters->start ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_letters_free(struct caucus_letters *letters) {
    free(letters->start);
    free(letters->number);
    free(letters->piece);
    memset(letters, 0, sizeof *letters);
}

void caucus_letters_add(struct caucus_letters *letters, int32_t to, int64_t count,
                        const int64_t *number) {
    int64_t *piece = letters->status
                         ? NULL
                         : caucus_array_grow(letters->piece, letters->written + HEAD + count,
                                             &letters->room, sizeof *piece);
    if (!piece) {
        letters->status = CAUCUS_NO_MEMORY;
        return;
    }
    letters->piece = piece;
    piece += letters->written;
    piece[0] = to;
    piece[1] = count;
    if (count > 0)
        memcpy(piece + HEAD, number, (size_t)count * sizeof *number);
    letters->written += HEAD + count;
    letters->start[to + 1] += count;
}

int caucus_letters_close(struct caucus_letters *letters) {
    if (letters->status)
        return letters->status;
    int64_t *start = letters->start;
    for (int32_t leader = 0; leader < letters->leaders; leader++)
        start[leader + 1] += start[leader];
    letters->number = caucus_array(start[letters->leaders], sizeof *letters->number);
    if (!letters->number)
        return CAUCUS_NO_MEMORY;
    for (int64_t at = 0; at < letters->written; at += HEAD + letters->piece[at + 1]) {
        const int64_t *piece = letters->piece + at;
        if (piece[1] > 0)
            memcpy(letters->number + start[piece[0]], piece + HEAD,
                   (size_t)piece[1] * sizeof *piece);
        start[piece[0]] += piece[1]; /* moves on to where that of the next one starts */
    }
    for (int32_t leader = letters->leaders; leader > 0; leader--)
        start[leader] = start[leader - 1];
    start[0] = 0;
    free(letters->piece);
    letters->piece = NULL;
    return CAUCUS_OK;
}
