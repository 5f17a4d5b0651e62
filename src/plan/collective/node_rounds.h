/* SPDX-License-Identifier: BSD-3-Clause */
/* How blocks that are too long for node memory pass through it: in rounds, which take two buffers
 * in turns. In a round a block has a slot of the buffer for all of its bytes, or a piece of them.
 *
 * Blocks belong to units, which follow one another. The blocks of a unit are handled by different
 * ranks, so it should be in a round as a whole, or with a piece of each block. */
#ifndef CAUCUS_PLAN_COLLECTIVE_NODE_ROUNDS_H
#define CAUCUS_PLAN_COLLECTIVE_NODE_ROUNDS_H

#include "plan/schedule/builder.h"

enum { CAUCUS_NODE_BUFFERS = 2, CAUCUS_NODE_ALIGNMENT = 64 };

/* What so many bytes take of node memory. */
static inline int64_t caucus_node_slot_bytes(int64_t bytes) {
    return (bytes + CAUCUS_NODE_ALIGNMENT - 1) / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
}

/* Pieces of what is that long, where nobody says how long they should be: short enough to work on
 * several at a time, long enough to wait but rarely. */
enum { CAUCUS_NODE_PIECE = 32768, CAUCUS_NODE_LONG_PIECE = 131072 };

static inline int64_t caucus_node_piece(int64_t bytes) {
    if (bytes / 4 < CAUCUS_NODE_PIECE)
        return CAUCUS_NODE_PIECE;
    return bytes / 4 < CAUCUS_NODE_LONG_PIECE ? bytes / 4 : CAUCUS_NODE_LONG_PIECE;
}

struct caucus_node_rounds {
    int64_t blocks;
    struct caucus_rounds_block {
        int64_t bytes;
        int32_t unit;
        int64_t slot;  /* where in a buffer */
        int64_t start; /* its first round */
    } *block;
    int64_t element;      /* pieces are multiples of this */
    int64_t room;         /* bytes for one buffer, or for one of two together with the other */
    int64_t least, most;  /* bytes of a piece; rather than shorter ones, one block at a time;
                             most 0: by the longest block */
    int64_t piece;        /* of a block in a round */
    int64_t rounds;       /* 0 where nothing has bytes */
    int64_t buffer_bytes; /* aligned */
};

/* For so many blocks, whose bytes and units are to be filled in, before plan works out the rest.
 * Out of memory the builder fails. */
void caucus_node_rounds_init(struct caucus_node_rounds *rounds, struct caucus_builder *builder,
                             int64_t blocks);
void caucus_node_rounds_free(struct caucus_node_rounds *rounds);

/* Where there is no room for an element, the builder fails: CAUCUS_NOT_APPLICABLE. */
void caucus_node_rounds_plan(struct caucus_node_rounds *rounds, struct caucus_builder *builder);

/* The blocks that may have bytes in a round: those from first to end, exclusive. */
struct caucus_round_blocks {
    int64_t first, end;
};
struct caucus_round_blocks caucus_round_blocks(const struct caucus_node_rounds *rounds,
                                               int64_t round);

/* How many bytes of a block a round moves, and where they begin in it. */
static inline int64_t caucus_round_bytes(const struct caucus_node_rounds *rounds, int64_t block,
                                         int64_t round) {
    const struct caucus_rounds_block *b = &rounds->block[block];
    int64_t left = b->bytes - (round - b->start) * rounds->piece;
    if (round < b->start || left <= 0)
        return 0;
    return left < rounds->piece ? left : rounds->piece;
}

static inline int64_t caucus_round_begin(const struct caucus_node_rounds *rounds, int64_t block,
                                         int64_t round) {
    return (round - rounds->block[block].start) * rounds->piece;
}

#endif
