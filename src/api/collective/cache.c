/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/cache.h"

#include "api/collective/repeats.h"
#include "api/collective/selection.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Places: of blocking calls, of small ones among them, of nonblocking ones, of pending ones, and of
 * persistent requests. */
enum { BLOCKING, SMALL, NONBLOCKING, PENDING = 8, ARENAS = 10, PERSISTENT = ARENAS, PLACES };

enum {
    SMALL_PARTS = 16,            /* of an arena: so many more of them may be under way */
    ENTRIES = 16,                /* kept for a place */
    LINES_OF_A_RANK = 16,        /* of an arena, for each rank of the node */
    BYTES_OF_A_RANK = 32 * 1024, /* of node memory, but in all: */
    LEAST_NODE_BYTES = 256 * 1024,
    MOST_NODE_BYTES = 4 * 1024 * 1024,
    ROOM_BESIDE = 64 * 1024
};
static const int64_t MOST_PERSISTENT_BYTES = 16 << 20;

struct caucus_cache {
    struct caucus_engine *engine;
    int64_t node_bytes;
    bool splits; /* small calls have an arena: one node is all there is, and has memory */
    _Atomic uint64_t calls;
    uint64_t next, next_pending; /* nonblocking ones so far, the same on all ranks */
    struct caucus_repeats repeats;
    pthread_mutex_t lock;     /* of what persistent requests have left: any thread frees them */
    int64_t persistent_bytes; /* of node memory that they have */
    uint64_t given_back;      /* so many so far */
    struct {
        struct caucus_arena *arena; /* NULL: each has its own */
        struct caucus_prepared *entry[ENTRIES];
    } place[PLACES];
};

struct size {
    int32_t lines;
    int64_t node_bytes;
};

static struct size size_of(int32_t ranks, int32_t largest) {
    int64_t bytes = (int64_t)BYTES_OF_A_RANK * largest;
    bytes = bytes < LEAST_NODE_BYTES ? LEAST_NODE_BYTES : bytes;
    return (struct size){LINES_OF_A_RANK * (1 + ranks),
                         bytes > MOST_NODE_BYTES ? MOST_NODE_BYTES : bytes};
}

static int count_arenas(bool between) {
    return between ? ARENAS : PENDING;
}

/* Nodes are taken for equal. There is room beside the arenas for the lines of an agreement
 * (run/engine/digest_agreement.h). */
int64_t caucus_cache_bytes(int32_t ranks, bool between) {
    const struct size size = size_of(ranks, ranks);
    return caucus_arenas_bytes(ranks, size.lines, size.node_bytes, count_arenas(between)) +
           ROOM_BESIDE + (int64_t)ranks * 2 * CAUCUS_LINE_BYTES;
}

/* Also of a rank that is alone on its node, if others share memory: there its schedules may have
 * lines and bytes of its own. */
static struct size size_arenas(const struct caucus_engine *engine) {
    return engine->shares_memory ? size_of(caucus_engine_node_size(engine), engine->nodes.largest)
                                 : (struct size){0, 0};
}

int caucus_cache_create(struct caucus_engine *engine, struct caucus_cache **made) {
    struct caucus_cache *cache = caucus_array(1, sizeof *cache);
    struct caucus_arena *arenas[ARENAS];
    const struct size size = size_arenas(engine);
    int count = count_arenas(engine->attachment->first_group > 0);
    int status = caucus_arenas_create(engine, cache ? CAUCUS_OK : CAUCUS_NO_MEMORY, size.lines,
                                      size.node_bytes, count, arenas);
    if (status) {
        free(cache);
        return status;
    }
    cache->engine = engine;
    cache->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cache->node_bytes = size.node_bytes;
    cache->splits = engine->memory && engine->nodes.largest == engine->attachment->size;
    for (int i = 0; i < count; i++)
        cache->place[i].arena = arenas[i];
    if (cache->splits)
        caucus_arena_divide(arenas[SMALL], SMALL_PARTS);
    *made = cache;
    return CAUCUS_OK;
}

void caucus_cache_free(struct caucus_cache *cache) {
    if (!cache)
        return;
    for (int i = 0; i < PLACES; i++) {
        for (int j = 0; j < ENTRIES; j++)
            caucus_prepared_free(cache->place[i].entry[j]);
        if (cache->place[i].arena)
            caucus_arena_free(cache->engine, cache->place[i].arena);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* The one used longest ago that is not in use; -1: there is none. */
static int find_oldest(struct caucus_prepared *const *entries) {
    int oldest = -1;
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i] && !entries[i]->busy &&
            (oldest < 0 || entries[i]->used < entries[oldest]->used))
            oldest = i;
    return oldest;
}

/* Where a new one goes: an empty slot, or that of the oldest; -1: all are in use. */
static int choose_slot(struct caucus_prepared *const *entries) {
    for (int i = 0; i < ENTRIES; i++)
        if (!entries[i])
            return i;
    return find_oldest(entries);
}

static int64_t number_of(const struct caucus_prepared *prepared) {
    return prepared->arena ? prepared->arena->number : 0;
}

/* One with the key that is not in use: where there are several with arenas of their own, the one
 * made last, which other ranks take too. */
static int find(struct caucus_prepared *const *entries, const struct caucus_key *key) {
    int found = -1;
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i] && !entries[i]->busy && caucus_key_matches(&entries[i]->key, key) &&
            (found < 0 || number_of(entries[i]) > number_of(entries[found])))
            found = i;
    return found;
}

/* The schedules of all ranks of a node reserve the same. */
static struct caucus_arena *choose_arena(const struct caucus_cache *cache, int at,
                                         const struct caucus_schedule *schedule) {
    const struct caucus_arena *small = cache->place[SMALL].arena;
    bool fits = schedule->lines <= small->lines && schedule->node_bytes <= small->bytes;
    return cache->place[at == BLOCKING && cache->splits && fits ? SMALL : at].arena;
}

struct caucus_arena *caucus_cache_arena(const struct caucus_cache *cache,
                                        const struct caucus_schedule *schedule) {
    return choose_arena(cache, BLOCKING, schedule);
}

void caucus_cache_limit(const struct caucus_cache *cache, struct caucus_work *work) {
    work->task.node_limit = cache->node_bytes;
}

static int make(struct caucus_cache *cache, struct caucus_work *work,
                struct caucus_context *context, int at, struct caucus_prepared **made) {
    struct caucus_prepared *prepared;
    int status = caucus_prepared_plan(work, context, "", false, &prepared);
    if (status)
        return status;
    struct caucus_arena *arena = choose_arena(cache, at, &prepared->schedule);
    status = caucus_prepared_bind(prepared, work, CAUCUS_SENDING_IMMEDIATE, cache->engine, arena);
    prepared->is_idle = caucus_work_is_idle(work, &prepared->schedule);
    prepared->watch = caucus_selection_watch(work, context);
    if (status)
        caucus_prepared_free(prepared);
    else
        *made = prepared;
    return status;
}

/* Threads may count one less, which makes a few as old as others. */
static void occupy(struct caucus_cache *cache, struct caucus_prepared *prepared) {
    uint64_t calls = atomic_load_explicit(&cache->calls, memory_order_relaxed) + 1;
    atomic_store_explicit(&cache->calls, calls, memory_order_relaxed);
    prepared->used = calls;
    atomic_store_explicit(&prepared->busy, true, memory_order_relaxed);
}

/* Where it is the turn of such a call, which *turn counts if it is no blocking one. */
static int place_of(struct caucus_cache *cache, bool blocking, bool pending, uint64_t **turn) {
    *turn = blocking ? NULL : pending ? &cache->next_pending : &cache->next;
    if (blocking)
        return BLOCKING;
    int first = pending ? PENDING : NONBLOCKING, end = pending ? ARENAS : PENDING;
    return first + (int)(**turn % (uint64_t)(end - first));
}

struct caucus_prepared *caucus_cache_recall(struct caucus_cache *cache,
                                            const struct caucus_collective_call *call) {
    uint64_t *turn;
    int at = place_of(cache, call->form == CAUCUS_FORM_BLOCKING, false, &turn);
    struct caucus_prepared *prepared = caucus_repeats_find(&cache->repeats, at, call);
    if (prepared && turn)
        ++*turn;
    if (prepared)
        occupy(cache, prepared);
    return prepared;
}

static void put(struct caucus_cache *cache, int at, struct caucus_prepared *prepared) {
    struct caucus_prepared **entries = cache->place[at].entry;
    int slot = choose_slot(entries);
    if (slot < 0)
        return;
    if (at < PENDING) /* others are not in it, and another thread may look */
        caucus_repeats_forget(&cache->repeats, entries[slot]);
    caucus_prepared_free(entries[slot]);
    entries[slot] = prepared;
    prepared->kept = true;
}

/* One that is there, bound to other buffers, or a new one. */
static int find_or_make(struct caucus_cache *cache, struct caucus_work *work,
                        struct caucus_context *context, int at, struct caucus_prepared **taken) {
    struct caucus_prepared **entries = cache->place[at].entry;
    struct caucus_key key;
    int status = caucus_key_create(work, &key);
    if (status)
        return status;
    int found = find(entries, &key);
    if (found >= 0) {
        caucus_key_free(&key);
        *taken = entries[found];
        return caucus_prepared_rebind(entries[found], work);
    }
    status = make(cache, work, context, at, taken);
    if (status) {
        caucus_key_free(&key);
        return status;
    }
    (*taken)->key = key;
    if (key.text)
        put(cache, at, *taken);
    return CAUCUS_OK;
}

int caucus_cache_take(struct caucus_cache *cache, struct caucus_work *work,
                      struct caucus_context *context, bool pending,
                      struct caucus_prepared **taken) {
    struct caucus_prepared *prepared;
    uint64_t *turn;
    int at = place_of(cache, work->call->form == CAUCUS_FORM_BLOCKING, pending, &turn);
    caucus_cache_limit(cache, work);
    int status = find_or_make(cache, work, context, at, &prepared);
    if (status)
        return status;
    if (turn)
        ++*turn; /* not where it failed: whoever has nothing to do may not have */
    if (!pending)
        caucus_repeats_keep(&cache->repeats, at, work, prepared);
    occupy(cache, prepared);
    *taken = prepared;
    return CAUCUS_OK;
}

/* What is in use stays in its slot, where nobody finds it any more, until it is the oldest: another
 * thread may be giving it back. */
void caucus_cache_drop(struct caucus_cache *cache, const struct caucus_learned_entry *watch) {
    for (int at = 0; at < PENDING; at++)
        for (int i = 0; i < ENTRIES; i++) {
            struct caucus_prepared **entry = &cache->place[at].entry[i];
            if (!*entry || (*entry)->watch != watch)
                continue;
            caucus_repeats_forget(&cache->repeats, *entry);
            if ((*entry)->busy) {
                caucus_key_free(&(*entry)->key);
                continue;
            }
            caucus_prepared_free(*entry);
            *entry = NULL;
        }
}

/* Under the lock. */
static struct caucus_prepared *remove_persistent(struct caucus_cache *cache, int slot) {
    struct caucus_prepared **entry = &cache->place[PERSISTENT].entry[slot];
    struct caucus_prepared *prepared = *entry;
    *entry = NULL;
    cache->persistent_bytes -= caucus_arena_size(prepared->arena);
    return prepared;
}

struct caucus_prepared *caucus_cache_take_persistent(struct caucus_cache *cache,
                                                     const struct caucus_key *key) {
    pthread_mutex_lock(&cache->lock);
    int found = find(cache->place[PERSISTENT].entry, key);
    struct caucus_prepared *prepared = found < 0 ? NULL : remove_persistent(cache, found);
    pthread_mutex_unlock(&cache->lock);
    return prepared;
}

static void keep_persistent(struct caucus_cache *cache, struct caucus_prepared *prepared) {
    struct caucus_prepared **entries = cache->place[PERSISTENT].entry, *gone[ENTRIES + 1];
    int count = 0;
    pthread_mutex_lock(&cache->lock);
    int slot = choose_slot(entries);
    if (entries[slot])
        gone[count++] = remove_persistent(cache, slot);
    prepared->used = ++cache->given_back;
    entries[slot] = prepared;
    cache->persistent_bytes += caucus_arena_size(prepared->arena);
    while (cache->persistent_bytes > MOST_PERSISTENT_BYTES)
        gone[count++] = remove_persistent(cache, find_oldest(entries));
    pthread_mutex_unlock(&cache->lock);
    for (int i = 0; i < count; i++)
        caucus_prepared_free(gone[i]);
}

void caucus_cache_give_back(struct caucus_cache *cache, struct caucus_prepared *prepared) {
    if (prepared->kept)
        atomic_store_explicit(&prepared->busy, false, memory_order_release);
    else if (prepared->arena && prepared->key.text && !prepared->arena->broken)
        keep_persistent(cache, prepared);
    else
        caucus_prepared_free(prepared);
}
