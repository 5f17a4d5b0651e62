/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a node need for messages by one copy (run/execution/links.c), in node memory,
 * once for an engine: links, which the arenas have handed out to pairs of ranks as messages of
 * these come up, and a bounce buffer of each rank for what the kernel refuses to copy. */
#ifndef CAUCUS_RUN_ENGINE_LINK_TABLE_H
#define CAUCUS_RUN_ENGINE_LINK_TABLE_H

#include "plan/schedule/schedule.h"
#include "run/memory/node_memory.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* Where one rank of a node tells another one where the data is of the message that is under way
 * from it to that one, and the other that it has it: one at a time, in the order of their posting.
 * The receiver copies pieces of it from the sender's memory, and perhaps the sender others into the
 * receiver's, whichever each gets hold of first. */
struct caucus_link {
    alignas(CAUCUS_LINE_BYTES) _Atomic int64_t posted; /* so many by the sender so far */
    _Atomic int64_t accepted;                          /* by the receiver, */
    _Atomic int64_t taken;                             /* who has all of so many by now */
    uint64_t source, target;                           /* of the message under way */
    _Atomic int64_t begun;                             /* bytes of it */
    _Atomic int64_t copied;                            /* from minus its length up to 0 */
    _Atomic int32_t error;                             /* errno, if it could not be copied */
    int16_t is_shared;                                 /* the sender copies pieces, too */
    _Atomic int16_t holders; /* ends that have not let go of it; 0: it is nobody's */
};
_Static_assert(sizeof(struct caucus_link) == CAUCUS_LINE_BYTES, "a line each");

/* Through which the sender of a message fills, and its receiver, whose it is, empties one half
 * after the other. */
enum { CAUCUS_BOUNCE_HALF = 4096 };
struct caucus_bounce {
    /* The link whose message goes through it now, from 1 on, by the receiver's word; 0: none. */
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int32_t granted;
    _Atomic int64_t emptied; /* bytes of the message, by the receiver */
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int64_t filled; /* by the sender */
    alignas(CAUCUS_NODE_ALIGNMENT) char half[2][CAUCUS_BOUNCE_HALF];
};

struct caucus_link_table {
    struct caucus_node_block *block; /* NULL: there is no table */
    struct caucus_link *link;
    struct caucus_bounce *bounce; /* [local rank] */
    int32_t count;                /* links */
};

/* What it takes of the node memory of so many ranks. */
int64_t caucus_link_table_bytes(int32_t ranks);

/* Collective over the ranks of the pool, with the same outcome on all; where there is no memory,
 * there is no table. */
void caucus_link_table_take(struct caucus_node_memory *memory, int32_t ranks,
                            struct caucus_link_table *table);
void caucus_link_table_let_go(struct caucus_link_table *table);

/* The link of a pair of ranks in an arena, which has a place for it, zero to begin with. The first
 * of both who asks decides, for as long as the arena is there: NULL where there is no link left. */
struct caucus_link *caucus_link_at(const struct caucus_link_table *table, _Atomic uint16_t *place);

/* An end of the pair will not ask again. */
void caucus_link_let_go(const struct caucus_link_table *table, _Atomic uint16_t *place);

#endif
