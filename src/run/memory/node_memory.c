/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/memory/node_memory.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/memory/segment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 48 }; /* mostly each as large as all before it together */
static const int64_t FIRST_SEGMENT = INT64_C(1) << 16;
static const int64_t LARGEST = INT64_C(1) << 46;

/* A part of a segment; only the lowest rank has them, in the order of their addresses. */
struct extent {
    int64_t offset, size;
    int segment;
    bool used;
    struct extent *next;
};

struct caucus_node_memory {
    struct caucus_peers peers;
    MPI_Comm owned;
    int segments;
    struct caucus_segment segment[SEGMENTS];
    struct extent *extents;
};

static struct caucus_node_block *block_at(const struct caucus_node_memory *memory, int segment,
                                          int64_t offset) {
    return (struct caucus_node_block *)(void *)(memory->segment[segment].base + offset);
}

int64_t caucus_node_memory_size(const struct caucus_node_memory *memory) {
    int64_t size = 0;
    for (int segment = 0; segment < memory->segments; segment++)
        size += memory->segment[segment].size;
    return size;
}

/* Without an entry in the books the segment would be lost: rank 0 asks for none then. */
static int add_segment(struct caucus_node_memory *memory, int64_t size) {
    struct extent *extent = NULL, **end = &memory->extents;
    int status = CAUCUS_OK, segment = memory->segments;
    if (memory->peers.rank == 0) {
        extent = caucus_array(1, sizeof *extent);
        status = extent ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    int failed =
        caucus_segment_create(&memory->peers, status ? -1 : size, &memory->segment[segment]);
    if (status || failed) {
        free(extent);
        return status ? status : failed;
    }
    memory->segments++;
    if (memory->peers.rank == 0) {
        *extent = (struct extent){.size = size, .segment = segment};
        while (*end)
            end = &(*end)->next;
        *end = extent;
    }
    return CAUCUS_OK;
}

static void free_owned(MPI_Comm *owned) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (!finalized && *owned != MPI_COMM_NULL)
        PMPI_Comm_free(owned);
}

/* Who wants none, or has no memory for the books, takes part in a segment that nobody gets. */
int caucus_node_memory_create(const struct caucus_peers *peers, MPI_Comm owned, bool wanted,
                              int64_t bytes, struct caucus_node_memory **made) {
    struct caucus_node_memory *memory = wanted ? caucus_array(1, sizeof *memory) : NULL;
    struct caucus_segment none;
    *made = NULL;
    if (!memory) {
        caucus_segment_create(peers, -1, &none);
        free_owned(&owned);
        return CAUCUS_NO_MEMORY;
    }
    memory->peers = *peers;
    memory->owned = owned;
    int status = add_segment(memory, bytes > FIRST_SEGMENT ? bytes : FIRST_SEGMENT);
    if (status)
        caucus_node_memory_free(memory);
    else
        *made = memory;
    return status;
}

void caucus_node_memory_free(struct caucus_node_memory *memory) {
    if (!memory)
        return;
    free_owned(&memory->owned);
    for (int segment = 0; segment < memory->segments; segment++)
        caucus_segment_free(&memory->segment[segment]);
    while (memory->extents) {
        struct extent *next = memory->extents->next;
        free(memory->extents);
        memory->extents = next;
    }
    free(memory);
}

/* Notes whether all ranks have let go, and joins free neighbours. */
static void reclaim(const struct caucus_node_memory *memory, struct extent *extent) {
    if (extent->used) {
        struct caucus_node_block *block = block_at(memory, extent->segment, extent->offset);
        extent->used = atomic_load_explicit(&block->holders, memory_order_acquire) > 0;
    }
}

static void join_free(const struct caucus_node_memory *memory, struct extent *extent) {
    struct extent *next = extent->next;
    reclaim(memory, extent);
    while (!extent->used && next && next->segment == extent->segment) {
        reclaim(memory, next);
        if (next->used)
            break;
        extent->size += next->size;
        extent->next = next->next;
        free(next);
        next = extent->next;
    }
}

/* The first free extent that is large enough, cut to size; NULL if there is none. */
static struct extent *find(const struct caucus_node_memory *memory, int64_t size) {
    for (struct extent *extent = memory->extents; extent; extent = extent->next) {
        join_free(memory, extent);
        if (extent->used || extent->size < size)
            continue;
        struct extent *rest = extent->size > size ? caucus_array(1, sizeof *rest) : NULL;
        if (rest) { /* otherwise the block is larger than need be */
            *rest = *extent;
            rest->offset += size;
            rest->size -= size;
            extent->next = rest;
            extent->size = size;
        }
        extent->used = true;
        return extent;
    }
    return NULL;
}

/* What rank 0 tells the others: by how much the pool is to grow first, and by how much at least, or
 * where the blocks are. */
struct offer {
    int64_t grow, least, place[CAUCUS_NODE_BLOCKS];
};

static int64_t place_of(const struct extent *extent) {
    return extent->segment * LARGEST + extent->offset;
}

struct caucus_node_block *caucus_node_memory_at(const struct caucus_node_memory *memory,
                                                int64_t place) {
    return block_at(memory, (int)(place / LARGEST), place % LARGEST);
}

void caucus_node_memory_withdraw(const struct caucus_node_memory *memory, int64_t place) {
    struct caucus_node_block *block = caucus_node_memory_at(memory, place);
    atomic_store_explicit(&block->holders, 0, memory_order_relaxed);
}

/* With its head; 0 is too much. */
static int64_t size_of_block(int64_t bytes) {
    if (bytes > LARGEST / 2 / CAUCUS_NODE_BLOCKS) {
        caucus_fail(CAUCUS_NO_MEMORY, "%lld bytes of shared memory are too many", (long long)bytes);
        return 0;
    }
    return caucus_node_aligned((int64_t)sizeof(struct caucus_node_block) + bytes);
}

static bool offer_one(const struct caucus_node_memory *memory, int64_t size, int64_t zeroed,
                      int64_t *place) {
    struct extent *extent = find(memory, size);
    if (!extent)
        return false;
    *place = place_of(extent);
    struct caucus_node_block *block = caucus_node_memory_at(memory, *place);
    memset(block, 0, sizeof *block + (size_t)zeroed);
    atomic_store_explicit(&block->holders, memory->peers.size, memory_order_relaxed);
    return true;
}

static void make_offer(const struct caucus_node_memory *memory, int64_t size, int64_t zeroed,
                       int count, struct offer *offer) {
    int made = 0;
    *offer = (struct offer){0};
    while (made < count && offer_one(memory, size, zeroed, &offer->place[made]))
        made++;
    if (made == count)
        return;
    int64_t all = caucus_node_memory_size(memory);
    offer->least = count * size;
    offer->grow = offer->least > all ? offer->least : all;
    while (made-- > 0)
        caucus_node_memory_withdraw(memory, offer->place[made]);
}

/* By as much as there is; where the machine has not that, by what is wanted. */
static int grow(struct caucus_node_memory *memory, const struct offer *offer) {
    if (memory->segments == SEGMENTS)
        return caucus_fail(CAUCUS_NO_MEMORY, "the pool of shared memory is full");
    int status = add_segment(memory, offer->grow);
    return status && offer->least < offer->grow ? add_segment(memory, offer->least) : status;
}

int caucus_node_memory_take(struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                            int count, struct caucus_node_block **blocks) {
    struct offer offer;
    int64_t size = size_of_block(bytes);
    int status = size ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++)
        blocks[i] = NULL;
    while (!status) {
        if (memory->peers.rank == 0)
            make_offer(memory, size, zeroed, count, &offer);
        status = caucus_peers_bcast(&memory->peers, &offer, sizeof offer, MPI_BYTE, 0);
        for (int i = 0; i < count && !status && !offer.grow; i++)
            blocks[i] = caucus_node_memory_at(memory, offer.place[i]);
        if (!status && !offer.grow)
            return CAUCUS_OK;
        if (!status)
            status = grow(memory, &offer);
    }
    return status;
}

int caucus_node_memory_offer(const struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                             int64_t *place) {
    int64_t size = size_of_block(bytes);
    if (!size)
        return CAUCUS_NO_MEMORY;
    return offer_one(memory, size, zeroed, place)
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_NO_MEMORY, "the pool must grow first");
}

bool caucus_node_memory_leads(const struct caucus_node_memory *memory) {
    return memory->peers.rank == 0;
}
