/* SPDX-License-Identifier: BSD-3-Clause */
/* What every byte of a buffer holds in a symbolic run: ranges of one origin, in ascending order, in
 * chunks of bounded size, so that finding and replacing a range costs the logarithm of how many
 * there are. Ranges that continue each other are merged. */
#ifndef CAUCUS_STUDY_VERIFY_MAP_H
#define CAUCUS_STUDY_VERIFY_MAP_H

#include <stdint.h>

enum caucus_symbol {
    CAUCUS_SYMBOL_NOTHING,    /* not written in this run: whatever earlier ones have left */
    CAUCUS_SYMBOL_KEPT,       /* what the user had in out; position: offset in out */
    CAUCUS_SYMBOL_INPUT,      /* position: in the in of all ranks, one after the other */
    CAUCUS_SYMBOL_COMBINATION /* this and above; position: offset in the in of each operand */
};

/* The byte at offset x holds position x + shift of its symbol. */
struct caucus_value {
    int64_t shift;
    uint32_t symbol;
    uint32_t access; /* of node memory: who wrote and read it; else 0 */
};

struct caucus_map_entry {
    int64_t begin; /* up to the next entry */
    struct caucus_value value;
};

struct caucus_map_chunk {
    int64_t begin; /* of its first entry */
    struct caucus_map_entry *entry;
    int32_t count, exponent; /* room for 2^exponent entries */
};

/* Memory for the chunks of many maps, given back as a whole. */
enum { CAUCUS_POOL_SIZES = 32 };
struct caucus_pool {
    char *block; /* the newest; each begins with the address of the one before */
    int64_t used, room;
    void *spare[CAUCUS_POOL_SIZES];
};

struct caucus_map {
    struct caucus_pool *pool;
    int64_t size;
    int32_t chunks, exponent;
    struct caucus_map_chunk *chunk; /* NULL where size is 0 */
};

/* Where an entry stands. */
struct caucus_map_cursor {
    int32_t chunk, index;
};

/* 2^exponent pieces of 24 bytes; NULL without memory. */
void *caucus_pool_take(struct caucus_pool *pool, int exponent);
void caucus_pool_give(struct caucus_pool *pool, void *memory, int exponent);
void caucus_pool_free(struct caucus_pool *pool);

int caucus_map_init(struct caucus_map *map, struct caucus_pool *pool, int64_t size,
                    struct caucus_value value);

/* Gives the bytes from begin up to end, at least one, a value. */
int caucus_map_set(struct caucus_map *map, int64_t begin, int64_t end, struct caucus_value value);

/* The entry that has the byte at offset. */
struct caucus_map_cursor caucus_map_find(const struct caucus_map *map, int64_t offset);

static inline const struct caucus_map_entry *caucus_map_at(const struct caucus_map *map,
                                                           struct caucus_map_cursor cursor) {
    return &map->chunk[cursor.chunk].entry[cursor.index];
}

/* Where the entry ends. */
static inline int64_t caucus_map_end(const struct caucus_map *map,
                                     struct caucus_map_cursor cursor) {
    const struct caucus_map_chunk *chunk = &map->chunk[cursor.chunk];
    if (cursor.index + 1 < chunk->count)
        return chunk->entry[cursor.index + 1].begin;
    return cursor.chunk + 1 < map->chunks ? chunk[1].begin : map->size;
}

static inline struct caucus_map_cursor caucus_map_next(const struct caucus_map *map,
                                                       struct caucus_map_cursor cursor) {
    if (++cursor.index == map->chunk[cursor.chunk].count)
        cursor = (struct caucus_map_cursor){cursor.chunk + 1, 0};
    return cursor;
}

#endif
