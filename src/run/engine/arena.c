/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/arena.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/engine/one_copy.h"
#include "run/memory/node_memory.h"
#include "run/peers/agree.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_BYTES = 1 << 16, FEWEST_SLOTS = 2, MOST_SLOTS = 64 };

static bool has_tag(const struct caucus_engine *engine, int64_t tag) {
    for (const struct caucus_arena *arena = engine->arenas; arena; arena = arena->next)
        if (arena->tag == engine->first_tag + tag)
            return true;
    return false;
}

/* The first number from `from` on which begins `count` whose tags no arena of this rank has.
 * Numbers count on where tags begin again; at end, all were tried. */
static int64_t first_free(struct caucus_engine *engine, int64_t from, int64_t end, int count) {
    int64_t first = from;
    caucus_engine_lock(engine);
    for (int64_t at = from; at < first + count && first < end; at++)
        if (at >= engine->tags && has_tag(engine, at % engine->tags)) /* else it was never used */
            first = at + 1;
    caucus_engine_unlock(engine);
    return first;
}

static void give_number(const struct caucus_engine *engine, struct caucus_arena *arena,
                        int64_t number) {
    arena->number = number;
    arena->tag = (int)(engine->first_tag + number % engine->tags);
}

/* One MPI_Allreduce where all is well and tags did not begin again. The highest proposal is free at
 * the rank that made it; it is taken once all make it. */
static int agree_tags(struct caucus_engine *engine, int status, int count, int64_t *agreed) {
    const struct caucus_peers *peers = &engine->attachment->peers;
    int64_t number = engine->next_tag, end = number + engine->tags;
    for (;;) {
        int64_t own[3], highest[3];
        number = first_free(engine, number, end, count);
        own[0] = status != CAUCUS_OK || number >= end || count > engine->tags;
        own[1] = number;
        own[2] = -number;
        int failed = caucus_peers_allreduce(peers, own, highest, 3, MPI_INT64_T, MPI_MAX);
        if (failed)
            return failed;
        if (highest[0]) {
            if (!status && own[0])
                status = caucus_fail(CAUCUS_NO_MEMORY, "all %lld message tags are in use",
                                     (long long)engine->tags);
            return caucus_agree(peers, status, 0, NULL);
        }
        number = highest[1];
        if (highest[1] == -highest[2])
            break;
    }
    engine->next_tag = number + count;
    *agreed = number;
    return CAUCUS_OK;
}

/* A rank that shares memory with nobody has its own. */
static int take_blocks(const struct caucus_engine *engine, int64_t bytes, int64_t zeroed, int count,
                       struct caucus_node_block **blocks) {
    if (engine->memory)
        return caucus_node_memory_take(engine->memory, bytes, zeroed, count, blocks);
    for (int i = 0; i < count; i++) {
        blocks[i] = aligned_alloc(CAUCUS_NODE_ALIGNMENT, sizeof *blocks[i] + (size_t)bytes);
        if (!blocks[i])
            return caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld bytes", (long long)bytes);
        memset(blocks[i], 0, sizeof *blocks[i] + (size_t)zeroed);
    }
    return CAUCUS_OK;
}

static void let_go_of_block(const struct caucus_engine *engine, struct caucus_node_block *block) {
    if (engine->memory && block)
        caucus_node_memory_let_go(block);
    else
        free(block);
}

/* A root that may run ahead has others wait for it less often, and waits less often itself: where
 * ranks share cores, each wait is a change of process. */
static int slots_of(int64_t bytes) {
    int slots = FEWEST_SLOTS;
    while (slots < MOST_SLOTS && 2 * slots * bytes <= SLOTS_BYTES)
        slots *= 2;
    return slots;
}

/* A block is done, places of links, lines of all slots, bytes of all slots: what must be zero comes
 * first. */
struct room {
    int64_t done, links, lines, bytes, zeroed, all;
};

static void measure_for(int32_t ranks, bool links, struct caucus_arena *arena, struct room *room) {
    room->done = caucus_node_aligned((int64_t)ranks * CAUCUS_LINE_BYTES);
    room->links =
        links ? caucus_node_aligned((int64_t)ranks * ranks * (int64_t)sizeof(uint16_t)) : 0;
    room->lines = caucus_node_aligned((int64_t)arena->lines * CAUCUS_LINE_BYTES);
    room->bytes = caucus_node_aligned(arena->bytes);
    arena->slots = slots_of(room->lines + room->bytes);
    room->zeroed = room->done + room->links + arena->slots * room->lines;
    room->all = room->zeroed + arena->slots * room->bytes;
}

static int measure(const struct caucus_engine *engine, struct caucus_arena *arena,
                   struct room *room) {
    if (arena->bytes > INT64_MAX / (2 * MOST_SLOTS))
        return caucus_fail(CAUCUS_NO_MEMORY, "%lld bytes of shared memory are too many",
                           (long long)arena->bytes);
    measure_for(caucus_engine_node_size(engine), caucus_one_copy_allowed(engine), arena, room);
    return CAUCUS_OK;
}

int64_t caucus_arenas_bytes(int32_t ranks, int32_t lines, int64_t bytes, int count) {
    struct caucus_arena arena = {.lines = lines, .bytes = bytes};
    struct room room;
    measure_for(ranks, ranks <= CAUCUS_MOST_LINKED, &arena, &room);
    return count * (caucus_node_aligned(sizeof(struct caucus_node_block)) + room.all);
}

static bool needs_memory(const struct caucus_engine *engine, const struct caucus_arena *arena) {
    return arena->lines > 0 || arena->bytes > 0 || caucus_one_copy_allowed(engine);
}

static void use_block(struct caucus_arena *arena, const struct room *room) {
    char *base = (char *)(arena->block + 1);
    arena->done = (_Atomic int64_t *)(void *)base;
    if (room->links)
        arena->link = (_Atomic uint16_t *)(void *)(base + room->done);
    arena->line = base + room->done + room->links;
    arena->node = base + room->zeroed;
    arena->line_stride = room->lines;
    arena->node_stride = room->bytes;
}

static int take_memory(const struct caucus_engine *engine, struct caucus_arena *like,
                       struct room *room, int count, struct caucus_node_block **blocks) {
    if (!needs_memory(engine, like))
        return CAUCUS_OK;
    int status = measure(engine, like, room);
    return status ? status : take_blocks(engine, room->all, room->zeroed, count, blocks);
}

static void link_arena(struct caucus_engine *engine, struct caucus_arena *arena) {
    caucus_attachment_hold(engine->attachment);
    caucus_engine_lock(engine);
    arena->next = engine->arenas;
    engine->arenas = arena;
    caucus_engine_unlock(engine);
}

static int allocate(int count, struct caucus_arena **arenas) {
    bool lacks = false;
    for (int i = 0; i < count; i++) {
        arenas[i] = caucus_array(1, sizeof *arenas[i]);
        lacks = lacks || !arenas[i];
    }
    return lacks ? CAUCUS_NO_MEMORY : CAUCUS_OK;
}

int caucus_arenas_create(struct caucus_engine *engine, int status, int32_t lines, int64_t bytes,
                         int count, struct caucus_arena **arenas) {
    struct caucus_node_block *blocks[CAUCUS_NODE_BLOCKS] = {NULL};
    struct caucus_arena like = {.lines = lines, .bytes = bytes};
    struct room room;
    int64_t number = 0;
    int lacks = allocate(count, arenas);
    int failed = take_memory(engine, &like, &room, count, blocks); /* in any case: the others do */
    status = status ? status : lacks;
    status = agree_tags(engine, status ? status : failed, count, &number);
    for (int i = 0; i < count; i++) {
        if (status) {
            let_go_of_block(engine, blocks[i]);
            free(arenas[i]);
            arenas[i] = NULL;
            continue;
        }
        *arenas[i] = like;
        arenas[i]->block = blocks[i];
        if (blocks[i])
            use_block(arenas[i], &room);
        give_number(engine, arenas[i], number + i);
        link_arena(engine, arenas[i]);
    }
    return status;
}

void caucus_arena_divide(struct caucus_arena *arena, int parts) {
    arena->lines /= parts;
    arena->bytes = arena->node_stride / parts / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    arena->slots *= parts;
    arena->line_stride = (int64_t)arena->lines * CAUCUS_LINE_BYTES;
    arena->node_stride = arena->bytes;
}

/* Only who leads the node knows of free memory; who shares none has it at once. */
static int offer_memory(const struct caucus_engine *engine, struct caucus_arena *arena,
                        int64_t *offer) {
    struct room room;
    if (!engine->memory) {
        int taken = take_memory(engine, arena, &room, 1, &arena->block);
        if (arena->block)
            use_block(arena, &room);
        return taken;
    }
    int status = measure(engine, arena, &room);
    if (status || !needs_memory(engine, arena) || !caucus_node_memory_leads(engine->memory))
        return status;
    return caucus_node_memory_offer(engine->memory, room.all, room.zeroed, offer);
}

int caucus_arena_propose(struct caucus_engine *engine, int32_t lines, int64_t bytes,
                         struct caucus_arena **made, int64_t *offer) {
    int64_t end = engine->next_tag + engine->tags;
    int64_t number = first_free(engine, engine->next_tag, end, 1);
    struct caucus_arena *arena = caucus_array(1, sizeof *arena);
    *made = NULL;
    if (!arena)
        return CAUCUS_NO_MEMORY;
    give_number(engine, arena, number);
    arena->lines = lines;
    arena->bytes = bytes;
    int status = number < end ? offer_memory(engine, arena, offer)
                              : caucus_fail(CAUCUS_NO_MEMORY, "all message tags are in use");
    if (status)
        free(arena);
    else
        *made = arena;
    return status;
}

void caucus_arena_settle(struct caucus_engine *engine, struct caucus_arena *arena, int64_t offer) {
    struct room room;
    if (engine->memory && needs_memory(engine, arena) && !measure(engine, arena, &room)) {
        arena->block = caucus_node_memory_at(engine->memory, offer);
        use_block(arena, &room);
    }
    engine->next_tag = arena->number + 1;
    link_arena(engine, arena);
}

void caucus_arena_withdraw(struct caucus_engine *engine, struct caucus_arena *arena,
                           int64_t offer) {
    if (!engine->memory)
        free(arena->block);
    else if (needs_memory(engine, arena) && caucus_node_memory_leads(engine->memory))
        caucus_node_memory_withdraw(engine->memory, offer);
    free(arena);
}

int64_t caucus_arena_size(const struct caucus_arena *arena) {
    return arena->block ? arena->slots * (arena->line_stride + arena->node_stride) : 0;
}

int caucus_arena_alone(struct caucus_engine *engine, int tag, struct caucus_arena **made) {
    struct caucus_arena *arena = caucus_array(1, sizeof *arena);
    if (!arena)
        return CAUCUS_NO_MEMORY;
    arena->tag = (int)(engine->first_tag + tag);
    link_arena(engine, arena);
    *made = arena;
    return CAUCUS_OK;
}

/* Of the pairs that this rank is of. */
static void let_go_of_links(const struct caucus_engine *engine, const struct caucus_arena *arena) {
    const int32_t ranks = caucus_engine_node_size(engine), local = caucus_engine_local(engine);
    for (int32_t other = 0; other < ranks && arena->link; other++) {
        caucus_link_let_go(&engine->links, &arena->link[(int64_t)local * ranks + other]);
        caucus_link_let_go(&engine->links, &arena->link[(int64_t)other * ranks + local]);
    }
}

void caucus_arena_free(struct caucus_engine *engine, struct caucus_arena *arena) {
    struct caucus_attachment *attachment = engine->attachment;
    if (!arena || arena->broken) /* stays in the list, so that its tag is not used again */
        return;
    caucus_engine_lock(engine);
    struct caucus_arena **at = &engine->arenas;
    while (*at != arena)
        at = &(*at)->next;
    *at = arena->next;
    caucus_engine_unlock(engine);
    let_go_of_links(engine, arena);
    let_go_of_block(engine, arena->block);
    free(arena);
    caucus_attachment_let_go(attachment);
}
