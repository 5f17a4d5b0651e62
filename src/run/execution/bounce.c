/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/execution/bounce.h"

#include <string.h>

enum { NO_LINK = 0, BROKEN = -1 }; /* granted */

static int64_t look(_Atomic int64_t *word) {
    return atomic_load_explicit(word, memory_order_acquire);
}

/* How many of the bytes from done on lie in one half, if there are so many. */
static int64_t piece_of(int64_t done, int64_t bytes) {
    int64_t rest = CAUCUS_BOUNCE_HALF - done % CAUCUS_BOUNCE_HALF;
    return rest < bytes ? rest : bytes;
}

static char *place_of(struct caucus_bounce *bounce, int64_t done) {
    return bounce->half[done / CAUCUS_BOUNCE_HALF % 2] + done % CAUCUS_BOUNCE_HALF;
}

bool caucus_bounce_fill(const struct caucus_bounced *message) {
    struct caucus_bounce *bounce = message->bounce;
    if (atomic_load_explicit(&bounce->granted, memory_order_acquire) != message->link)
        return false;
    while (*message->moved < message->length) {
        int64_t done = *message->moved;
        int64_t room = 2 * CAUCUS_BOUNCE_HALF - (done - look(&bounce->emptied));
        int64_t rest = message->length - done;
        if (room == 0)
            return false;
        int64_t piece = piece_of(done, room < rest ? room : rest);
        memcpy(place_of(bounce, done), message->at + done, (size_t)piece);
        *message->moved += piece;
        atomic_store_explicit(&bounce->filled, *message->moved, memory_order_release);
    }
    return true;
}

/* Only its owner grants it. */
static bool is_mine(const struct caucus_bounced *message, bool *broken) {
    struct caucus_bounce *bounce = message->bounce;
    int32_t granted = atomic_load_explicit(&bounce->granted, memory_order_relaxed);
    *broken = granted == BROKEN;
    if (granted != NO_LINK)
        return granted == message->link;
    atomic_store_explicit(&bounce->emptied, 0, memory_order_relaxed);
    atomic_store_explicit(&bounce->filled, 0, memory_order_relaxed);
    atomic_store_explicit(&bounce->granted, message->link, memory_order_release);
    return true;
}

bool caucus_bounce_empty(const struct caucus_bounced *message, bool *broken) {
    struct caucus_bounce *bounce = message->bounce;
    if (!is_mine(message, broken))
        return false;
    while (*message->moved < message->length) {
        int64_t done = *message->moved, there = look(&bounce->filled) - done;
        if (there == 0)
            return false;
        int64_t piece = piece_of(done, there);
        memcpy(message->at + done, place_of(bounce, done), (size_t)piece);
        *message->moved += piece;
        atomic_store_explicit(&bounce->emptied, *message->moved, memory_order_release);
    }
    atomic_store_explicit(&bounce->granted, NO_LINK, memory_order_relaxed);
    return true;
}

void caucus_bounce_abandon(struct caucus_bounce *bounce, int32_t link, bool may_be_written) {
    if (atomic_load_explicit(&bounce->granted, memory_order_relaxed) == link)
        atomic_store_explicit(&bounce->granted, may_be_written ? BROKEN : NO_LINK,
                              memory_order_relaxed);
}
