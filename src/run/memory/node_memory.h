/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool of memory that the ranks of a node share, in blocks. The lowest rank keeps the books;
 * every block begins with a count of the ranks that still hold it, so letting go needs no message.
 */
#ifndef CAUCUS_RUN_MEMORY_NODE_MEMORY_H
#define CAUCUS_RUN_MEMORY_NODE_MEMORY_H

#include "run/peers/peers.h"

#include <mpi.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CAUCUS_NODE_ALIGNMENT = 128, /* lines that are fetched in pairs */
    CAUCUS_NODE_BLOCKS = 16      /* the most that are taken at a time */
};

/* Rounded up to it. */
static inline int64_t caucus_node_aligned(int64_t bytes) {
    return (bytes + CAUCUS_NODE_ALIGNMENT - 1) / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
}

struct caucus_node_memory;

/* The head of a block; what was asked for lies behind it. */
struct caucus_node_block {
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int64_t holders;
};

/* A pool for peers, who share a machine; what peers points to must outlive it. It takes owned over,
 * on failure too: a communicator to be freed with it, or null. bytes: of blocks that will be wanted
 * soon; the same on all of them. Collective over the peers; fails on all alike where one of them
 * can't have the memory, or does not want it. */
int caucus_node_memory_create(const struct caucus_peers *peers, MPI_Comm owned, bool wanted,
                              int64_t bytes, struct caucus_node_memory **memory);
void caucus_node_memory_free(struct caucus_node_memory *memory);

/* Blocks held by all peers, of so many bytes each, the first `zeroed` of them zero. Collective;
 * fails on all ranks alike, though only those with a reason have a text: then blocks are NULL. */
int caucus_node_memory_take(struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                            int count, struct caucus_node_block **blocks);

/* The same in parts, of one block. The lowest of the peers sets a block aside, for all to hold,
 * where the pool need not grow; *offer is how it tells the others. They find it by that; or it
 * takes it back, as long as nobody else knows. Local. */
int caucus_node_memory_offer(const struct caucus_node_memory *memory, int64_t bytes, int64_t zeroed,
                             int64_t *offer);
struct caucus_node_block *caucus_node_memory_at(const struct caucus_node_memory *memory,
                                                int64_t offer);
void caucus_node_memory_withdraw(const struct caucus_node_memory *memory, int64_t offer);

/* Whether this rank is the lowest of them. */
bool caucus_node_memory_leads(const struct caucus_node_memory *memory);

/* This rank lets go; local. */
static inline void caucus_node_memory_let_go(struct caucus_node_block *block) {
    atomic_fetch_sub_explicit(&block->holders, 1, memory_order_release);
}

/* What the pool has taken from the machine. */
int64_t caucus_node_memory_size(const struct caucus_node_memory *memory);

#endif
