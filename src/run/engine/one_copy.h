/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the ranks of an engine may read the memory of others of their node, so that long messages
 * need one copy only: found out when it is made, and the same on all ranks. */
#ifndef CAUCUS_RUN_ENGINE_ONE_COPY_H
#define CAUCUS_RUN_ENGINE_ONE_COPY_H

#include "run/engine/engine.h"

/* Each pair of a node has a place in each arena: 128 KiB of node memory with so many ranks, also
 * for those that need none else. */
enum { CAUCUS_MOST_LINKED = 256 };

/* Tries the memory of all peers, who share memory with this rank, and keeps who they are, with a
 * table of links. *refused: this rank does not want to, may not, or there are too many of them, in
 * which case all have to refuse. Collective over the peers. */
int caucus_one_copy_try(struct caucus_engine *engine, const struct caucus_peers *peers, bool wants,
                        bool *refused);

/* The same for a group: what its parent has found out. Local. */
int caucus_one_copy_inherit(struct caucus_engine *engine);

/* Where that is one copy, its table of links: collective over those who share memory, of whom there
 * are several. Whether there is none, on all of them. */
bool caucus_one_copy_lacks_table(struct caucus_engine *engine, int32_t ranks);

/* What tables take of the node memory of so many ranks. */
int64_t caucus_one_copy_bytes(int32_t ranks);

/* Whether arenas have links (arena.h); the same on all ranks of a node. */
static inline bool caucus_one_copy_allowed(const struct caucus_engine *engine) {
    return engine->process && engine->links.block;
}

void caucus_one_copy_refuse(struct caucus_engine *engine);

#endif
