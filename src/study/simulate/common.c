/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "study/simulate/internal.h"

#include <stdlib.h>

void *caucus_simulated_room(struct simulator *simulator, void *array, size_t size, int32_t count,
                            int32_t *room) {
    if (count < *room)
        return array;
    int64_t larger = *room ? 2 * (int64_t)*room : 64;
    void *entries = larger <= INT32_MAX ? realloc(array, (size_t)larger * size) : NULL;
    if (entries)
        *room = (int32_t)larger;
    else
        simulator->status = caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld messages on the way",
                                        (long long)larger);
    return entries;
}

void caucus_simulated_push(struct simulator *simulator, enum event_kind kind, double time,
                           int32_t subject, int32_t value) {
    struct caucus_queued event = {
        .time = time, .kind = kind & 0xff, .value = (uint32_t)value & 0xffffff, .subject = subject};
    if (!caucus_event_push(&simulator->queue, event))
        simulator->status = CAUCUS_NO_MEMORY;
}

void caucus_simulated_tell(struct simulator *simulator, int32_t rank, int32_t peer, int kind,
                           double begin, double end, int64_t bytes) {
    struct caucus_simulated_event event = {rank, peer, (uint8_t)kind, begin, end, begin, bytes};
    if (simulator->on_event)
        simulator->on_event(simulator->context, &event);
}
