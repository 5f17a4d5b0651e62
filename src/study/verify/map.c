/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/verify/map.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = sizeof(struct caucus_map_entry),
    FIRST_BLOCK = 1 << 14,
    LARGEST_BLOCK = 1 << 24,
    CHUNK_EXPONENT = 6, /* chunks of up to 64 entries */
    FIRST_EXPONENT = 1
};

_Static_assert(sizeof(struct caucus_map_chunk) == UNIT, "the pool knows one unit");

static bool add_block(struct caucus_pool *pool, int64_t bytes) {
    int64_t room = pool->room ? 2 * pool->room : FIRST_BLOCK;
    room = room > LARGEST_BLOCK ? LARGEST_BLOCK : room;
    room = room < bytes + UNIT ? bytes + UNIT : room;
    char *block = malloc((size_t)room);
    if (!block)
        return false;
    *(char **)(void *)block = pool->block;
    pool->block = block;
    pool->used = UNIT;
    pool->room = room;
    return true;
}

void *caucus_pool_take(struct caucus_pool *pool, int exponent) {
    void *memory = pool->spare[exponent];
    if (memory) {
        pool->spare[exponent] = *(void **)memory;
        return memory;
    }
    int64_t bytes = (int64_t)UNIT << exponent;
    if (pool->room - pool->used < bytes && !add_block(pool, bytes)) {
        caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
        return NULL;
    }
    memory = pool->block + pool->used;
    pool->used += bytes;
    return memory;
}

void caucus_pool_give(struct caucus_pool *pool, void *memory, int exponent) {
    *(void **)memory = pool->spare[exponent];
    pool->spare[exponent] = memory;
}

void caucus_pool_free(struct caucus_pool *pool) {
    while (pool->block) {
        char *before = *(char **)(void *)pool->block;
        free(pool->block);
        pool->block = before;
    }
}

int caucus_map_init(struct caucus_map *map, struct caucus_pool *pool, int64_t size,
                    struct caucus_value value) {
    *map = (struct caucus_map){.pool = pool, .size = size};
    if (size == 0)
        return CAUCUS_OK;
    struct caucus_map_entry *entry = caucus_pool_take(pool, FIRST_EXPONENT);
    map->chunk = caucus_pool_take(pool, 0);
    if (!entry || !map->chunk)
        return CAUCUS_NO_MEMORY;
    entry[0] = (struct caucus_map_entry){0, value};
    map->chunk[0] = (struct caucus_map_chunk){0, entry, 1, FIRST_EXPONENT};
    map->chunks = 1;
    return CAUCUS_OK;
}

struct caucus_map_cursor caucus_map_find(const struct caucus_map *map, int64_t offset) {
    int32_t low = 0, high = map->chunks;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (map->chunk[middle].begin <= offset)
            low = middle;
        else
            high = middle;
    }
    struct caucus_map_cursor cursor = {low, 0};
    const struct caucus_map_chunk *chunk = &map->chunk[low];
    for (low = 0, high = chunk->count; high - low > 1;) {
        int32_t middle = low + (high - low) / 2;
        if (chunk->entry[middle].begin <= offset)
            low = middle;
        else
            high = middle;
    }
    cursor.index = low;
    return cursor;
}

/* Room of twice the size for an array of the pool. */
static void *regrow(struct caucus_pool *pool, void *old, int32_t count, int32_t *exponent) {
    void *wider = caucus_pool_take(pool, *exponent + 1);
    if (!wider)
        return NULL;
    memcpy(wider, old, (size_t)count * UNIT);
    caucus_pool_give(pool, old, *exponent);
    *exponent += 1;
    return wider;
}

/* The second half of a chunk becomes one of its own. */
static int split_chunk(struct caucus_map *map, int32_t at) {
    if (map->chunks == 1 << map->exponent) {
        struct caucus_map_chunk *wider = regrow(map->pool, map->chunk, map->chunks, &map->exponent);
        if (!wider)
            return CAUCUS_NO_MEMORY;
        map->chunk = wider;
    }
    struct caucus_map_entry *entry = caucus_pool_take(map->pool, CHUNK_EXPONENT);
    if (!entry)
        return CAUCUS_NO_MEMORY;
    struct caucus_map_chunk *chunk = &map->chunk[at];
    int32_t kept = chunk->count / 2, moved = chunk->count - kept;
    memcpy(entry, chunk->entry + kept, (size_t)moved * UNIT);
    memmove(chunk + 2, chunk + 1, (size_t)(map->chunks - at - 1) * sizeof *chunk);
    chunk->count = kept;
    chunk[1] = (struct caucus_map_chunk){entry[0].begin, entry, moved, CHUNK_EXPONENT};
    map->chunks++;
    return CAUCUS_OK;
}

/* Replaces removed entries of a chunk from index on by added ones, of which the map's rest knows
 * nothing yet. There are three at most. */
static int splice(struct caucus_map *map, struct caucus_map_cursor at, int32_t removed,
                  const struct caucus_map_entry *added, int32_t additions) {
    struct caucus_map_chunk *chunk = &map->chunk[at.chunk];
    while (chunk->count - removed + additions > 1 << chunk->exponent) {
        if (chunk->exponent == CHUNK_EXPONENT) {
            int32_t kept = chunk->count / 2;
            int status = split_chunk(map, at.chunk);
            if (status)
                return status;
            chunk = &map->chunk[at.chunk];
            if (at.index >= kept) {
                at = (struct caucus_map_cursor){at.chunk + 1, at.index - kept};
                chunk++;
            } else if (at.index + removed > kept) { /* what is removed was cut in two */
                int32_t later = at.index + removed - kept;
                memmove(chunk[1].entry, chunk[1].entry + later,
                        (size_t)(chunk[1].count - later) * UNIT);
                chunk[1].count -= later;
                chunk[1].begin = chunk[1].entry[0].begin;
                removed -= later;
            }
        } else {
            struct caucus_map_entry *wider =
                regrow(map->pool, chunk->entry, chunk->count, &chunk->exponent);
            if (!wider)
                return CAUCUS_NO_MEMORY;
            chunk->entry = wider;
        }
    }
    struct caucus_map_entry *entry = chunk->entry + at.index;
    if (removed != additions)
        memmove(entry + additions, entry + removed,
                (size_t)(chunk->count - at.index - removed) * UNIT);
    for (int32_t i = 0; i < additions; i++)
        entry[i] = added[i];
    chunk->count += additions - removed;
    if (at.index == 0 && chunk->count > 0)
        chunk->begin = chunk->entry[0].begin;
    return CAUCUS_OK;
}

static void drop_chunks(struct caucus_map *map, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++)
        caucus_pool_give(map->pool, map->chunk[i].entry, map->chunk[i].exponent);
    memmove(map->chunk + first, map->chunk + first + count,
            (size_t)(map->chunks - first - count) * sizeof *map->chunk);
    map->chunks -= count;
}

/* Makes the entry at the cursor reach up to end, over chunks that lie in between. */
static void stretch(struct caucus_map *map, struct caucus_map_cursor at, int64_t end) {
    map->chunk[at.chunk].count = at.index + 1;
    int32_t whole = 0; /* chunks that are covered */
    for (int32_t i = at.chunk + 1; i < map->chunks; i++, whole++)
        if (end < (i + 1 < map->chunks ? map->chunk[i + 1].begin : map->size))
            break;
    if (whole > 0)
        drop_chunks(map, at.chunk + 1, whole);
    if (at.chunk + 1 == map->chunks)
        return;
    struct caucus_map_chunk *chunk = &map->chunk[at.chunk + 1];
    if (chunk->begin >= end)
        return;
    int32_t covered = 0;
    while (covered + 1 < chunk->count && chunk->entry[covered + 1].begin <= end)
        covered++;
    memmove(chunk->entry, chunk->entry + covered, (size_t)(chunk->count - covered) * UNIT);
    chunk->count -= covered;
    chunk->entry[0].begin = chunk->begin = end;
}

static bool continues(struct caucus_value a, struct caucus_value b) {
    return a.symbol == b.symbol && a.shift == b.shift && a.access == b.access;
}

int caucus_map_set(struct caucus_map *map, int64_t begin, int64_t end, struct caucus_value value) {
    struct caucus_map_cursor at = caucus_map_find(map, begin);
    struct caucus_map_chunk *chunk = &map->chunk[at.chunk];
    int64_t chunk_end = at.chunk + 1 < map->chunks ? chunk[1].begin : map->size;
    if (chunk_end < end) {
        stretch(map, at, end);
        chunk = &map->chunk[at.chunk];
    }
    int32_t last = at.index; /* the entry that has the last byte */
    while (last + 1 < chunk->count && chunk->entry[last + 1].begin < end)
        last++;
    struct caucus_map_entry added[3], first = chunk->entry[at.index], tail = chunk->entry[last];
    int64_t tail_end = caucus_map_end(map, (struct caucus_map_cursor){at.chunk, last});
    int32_t additions = 0, removed = last - at.index + 1;
    if (first.begin < begin) {
        added[additions++] = first;
    } else if (at.index > 0) { /* so that it may be continued */
        added[additions++] = chunk->entry[--at.index];
        removed++;
    }
    if (additions == 0 || !continues(added[0].value, value))
        added[additions++] = (struct caucus_map_entry){begin, value};
    if (end < tail_end) {
        if (!continues(value, tail.value))
            added[additions++] = (struct caucus_map_entry){end, tail.value};
    } else if (last + 1 < chunk->count && continues(value, chunk->entry[last + 1].value)) {
        removed++;
    }
    return splice(map, at, removed, added, additions);
}
