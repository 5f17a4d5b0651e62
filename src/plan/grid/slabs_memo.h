/* SPDX-License-Identifier: BSD-3-Clause */
/* What a planner has worked out: windows of a grid by shape and by where node borders lie in them,
 * for good; strips likewise, until their place is taken. */
#ifndef CAUCUS_PLAN_GRID_SLABS_MEMO_H
#define CAUCUS_PLAN_GRID_SLABS_MEMO_H

#include <stdint.h>

struct slabs_memo_entry {
    uint64_t shape, place; /* the key; shape is never UINT64_MAX */
    int64_t cost;          /* negative if unknown */
    int32_t list;          /* offset of the words that carry it out, -1: not written yet */
};

struct slabs_memo {
    int64_t count, capacity; /* capacity is a power of two, or 0 */
    struct slabs_memo_entry *entry;
};

/* The entry of a key, a new one if need be; NULL without memory. Valid until the next call. */
struct slabs_memo_entry *caucus_slabs_memo_find(struct slabs_memo *memo, uint64_t shape,
                                                uint64_t place);
void caucus_slabs_memo_free(struct slabs_memo *memo);

/* The same with a fixed number of entries: a key drives out another. */
enum { SLABS_CACHE_ENTRIES = 2048 };
struct slabs_cache {
    struct slabs_cache_entry {
        uint64_t shape, place;
        int64_t cost;
    } entry[SLABS_CACHE_ENTRIES];
};

void caucus_slabs_cache_clear(struct slabs_cache *cache);
struct slabs_cache_entry *caucus_slabs_cache_find(struct slabs_cache *cache, uint64_t shape,
                                                  uint64_t place);

#endif
