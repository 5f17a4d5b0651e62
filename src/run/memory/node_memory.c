/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/memory/node_memory.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/memory/segment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 48 }; /* each at least as large as all before it together */
static const int64_t FIRST_SEGMENT = INT64_C(1) << 20;
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

static int add_segment(struct caucus_node_memory *memory, int64_t size) {
    struct extent *extent = NULL, **end = &memory->extents;
    int status = CAUCUS_OK, segment = memory->segments;
    if (memory->peers.rank == 0) {
        extent = caucus_array(1, sizeof *extent);
        status = extent ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    /* Without an entry in the books the segment would be lost: rank 0 asks for none then. */
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

int caucus_node_memory_create(const struct caucus_peers *peers, MPI_Comm owned,
                              struct caucus_node_memory **made) {
    struct caucus_node_memory *memory = caucus_array(1, sizeof *memory);
    int bad = !memory, any = 1;
    *made = NULL;
    int status = caucus_peers_combine(peers, &bad, &any, 1, MPI_INT, MPI_MAX);
    if (status || any) {
        free(memory);
        free_owned(&owned);
        return status ? status : CAUCUS_NO_MEMORY;
    }
    memory->peers = *peers;
    memory->owned = owned;
    status = add_segment(memory, FIRST_SEGMENT);
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

/* What rank 0 tells the others: where a block is, or by how much the pool is to grow first. */
struct offer {
    int64_t place, grow;
};

static int64_t place_of(const struct extent *extent) {
    return extent->segment * LARGEST + extent->offset;
}

struct caucus_node_block *caucus_node_memory_at(const struct caucus_node_memory *memory,
                                                int64_t place) {
    return block_at(memory, (int)(place / LARGEST), place % LARGEST);
}

/* With its head; 0 is too much. */
static int64_t size_of_block(int64_t bytes) {
    if (bytes > LARGEST / 2) {
        caucus_fail(CAUCUS_NO_MEMORY, "%lld bytes of shared memory are too many", (long long)bytes);
        return 0;
    }
    int64_t size = (int64_t)sizeof(struct caucus_node_block) + bytes;
    return (size + CAUCUS_NODE_ALIGNMENT - 1) / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
}

static void make_offer(const struct caucus_node_memory *memory, int64_t size, int64_t zeroed,
                       struct offer *offer) {
    struct extent *extent = find(memory, size);
    if (!extent) {
        int64_t all = caucus_node_memory_size(memory);
        *offer = (struct offer){.grow = size > all ? size : all};
        return;
    }
    *offer = (struct offer){.place = place_of(extent)};
    struct caucus_node_block *block = caucus_node_memory_at(memory, offer->place);
    memset(block, 0, sizeof *block + (size_t)zeroed);
    atomic_store_explicit(&block->holders, memory->peers.size, memory_order_relaxed);
}

int caucus_node_memory_take(struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                            struct caucus_node_block **block) {
    struct offer offer;
    int64_t size = size_of_block(bytes);
    int status = size ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    *block = NULL;
    while (!status) {
        if (memory->peers.rank == 0)
            make_offer(memory, size, zeroed, &offer);
        status = caucus_peers_tell(&memory->peers, &offer, sizeof offer, MPI_BYTE, 0);
        if (!status && !offer.grow) {
            *block = caucus_node_memory_at(memory, offer.place);
            return CAUCUS_OK;
        }
        if (!status && memory->segments == SEGMENTS)
            status = caucus_fail(CAUCUS_NO_MEMORY, "the pool of shared memory is full");
        if (!status)
            status = add_segment(memory, offer.grow);
    }
    return status;
}

int caucus_node_memory_offer(struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                             int64_t *place) {
    struct offer offer;
    int64_t size = size_of_block(bytes);
    if (!size)
        return CAUCUS_NO_MEMORY;
    make_offer(memory, size, zeroed, &offer);
    *place = offer.place;
    return offer.grow ? caucus_fail(CAUCUS_NO_MEMORY, "the pool must grow first") : CAUCUS_OK;
}

void caucus_node_memory_withdraw(struct caucus_node_memory *memory, int64_t place) {
    struct caucus_node_block *block = caucus_node_memory_at(memory, place);
    atomic_store_explicit(&block->holders, 0, memory_order_relaxed);
}

bool caucus_node_memory_leads(const struct caucus_node_memory *memory) {
    return memory->peers.rank == 0;
}
