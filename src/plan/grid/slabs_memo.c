/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/slabs_memo.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t shape, uint64_t place) {
    uint64_t hash = (shape ^ (place + 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33) ^ place) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 29);
}

static struct slabs_memo_entry *slot(struct slabs_memo_entry *entry, int64_t capacity,
                                     uint64_t shape, uint64_t place) {
    uint64_t mask = (uint64_t)capacity - 1, at = mix(shape, place) & mask;
    while (entry[at].shape != UINT64_MAX && (entry[at].shape != shape || entry[at].place != place))
        at = (at + 1) & mask;
    return &entry[at];
}

static int grow(struct slabs_memo *memo) {
    int64_t capacity = memo->capacity ? 2 * memo->capacity : 64;
    struct slabs_memo_entry *entry = caucus_array(capacity, sizeof *entry);
    if (!entry)
        return 0;
    for (int64_t i = 0; i < capacity; i++)
        entry[i].shape = UINT64_MAX;
    for (int64_t i = 0; i < memo->capacity; i++)
        if (memo->entry[i].shape != UINT64_MAX)
            *slot(entry, capacity, memo->entry[i].shape, memo->entry[i].place) = memo->entry[i];
    free(memo->entry);
    memo->entry = entry;
    memo->capacity = capacity;
    return 1;
}

struct slabs_memo_entry *caucus_slabs_memo_find(struct slabs_memo *memo, uint64_t shape,
                                                uint64_t place) {
    if (4 * memo->count >= 3 * memo->capacity && !grow(memo))
        return NULL;
    struct slabs_memo_entry *entry = slot(memo->entry, memo->capacity, shape, place);
    if (entry->shape == UINT64_MAX) {
        *entry = (struct slabs_memo_entry){shape, place, -1, -1};
        memo->count++;
    }
    return entry;
}

void caucus_slabs_memo_free(struct slabs_memo *memo) {
    free(memo->entry);
    memset(memo, 0, sizeof *memo);
}

void caucus_slabs_cache_clear(struct slabs_cache *cache) {
    for (int i = 0; i < SLABS_CACHE_ENTRIES; i++)
        cache->entry[i].shape = UINT64_MAX;
}

struct slabs_cache_entry *caucus_slabs_cache_find(struct slabs_cache *cache, uint64_t shape,
                                                  uint64_t place) {
    struct slabs_cache_entry *entry = &cache->entry[mix(shape, place) % SLABS_CACHE_ENTRIES];
    if (entry->shape != shape || entry->place != place)
        *entry = (struct slabs_cache_entry){shape, place, -1};
    return entry;
}
