/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/counts.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Its own place, or the free one where it belongs; there is one. */
static struct caucus_call_count *find(const struct caucus_call_counts *counts, uint64_t topic,
                                      int rank) {
    uint64_t key = topic ^ (uint64_t)(uint32_t)rank << 32;
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20; /* Fibonacci hashing (Knuth) */
    for (;; at++) {
        struct caucus_call_count *place = &counts->place[at & (uint64_t)(counts->places - 1)];
        if (!place->begun || (place->topic == topic && place->rank == rank))
            return place;
    }
}

static void move(const struct caucus_call_counts *from, const struct caucus_call_counts *to) {
    for (int64_t i = 0; i < from->places; i++)
        if (from->place[i].begun)
            *find(to, from->place[i].topic, from->place[i].rank) = from->place[i];
}

int caucus_call_counts_reserve(struct caucus_call_counts *counts, int64_t more) {
    struct caucus_call_counts larger = *counts;
    int64_t wanted = 2 * (counts->used + more);
    if (wanted <= counts->places)
        return CAUCUS_OK;
    for (larger.places = 64; larger.places < 2 * wanted;)
        larger.places *= 2;
    larger.place = caucus_array(larger.places, sizeof *larger.place);
    if (!larger.place)
        return CAUCUS_NO_MEMORY;
    move(counts, &larger);
    free(counts->place);
    *counts = larger;
    return CAUCUS_OK;
}

uint64_t caucus_call_counts_next(struct caucus_call_counts *counts, uint64_t topic, int rank) {
    struct caucus_call_count *place = find(counts, topic, rank);
    if (!place->begun) {
        counts->used++;
        place->topic = topic;
        place->rank = rank;
    }
    return place->begun++;
}

void caucus_call_counts_free(struct caucus_call_counts *counts) {
    free(counts->place);
    memset(counts, 0, sizeof *counts);
}
