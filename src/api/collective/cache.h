/* SPDX-License-Identifier: BSD-3-Clause */
/* What was worked out for earlier calls on the same communicator, ready to be run again on other
 * buffers: in the arenas of blocking and nonblocking calls, or in arenas of their own what
 * persistent requests leave behind when they are freed. Blocking calls have an arena of their own,
 * on one node two: small ones may get further ahead of other ranks. Nonblocking ones take the
 * others in turns, which all ranks do alike. Between two groups, two more are for those that begin
 * later than they were called (pending_counts.h). Kept are 16 for each arena, and of persistent
 * requests 16 with 16 MiB of node memory together; the oldest go. */
#ifndef CAUCUS_API_COLLECTIVE_CACHE_H
#define CAUCUS_API_COLLECTIVE_CACHE_H

#include "api/collective/prepared.h"

struct caucus_cache;

/* Collective over the engine's attachment; all ranks get the same status and text. */
int caucus_cache_create(struct caucus_engine *engine, struct caucus_cache **cache);

/* The node memory that it takes of so many ranks of a node, an attachment's with one group or two.
 */
int64_t caucus_cache_bytes(int32_t ranks, bool between);
void caucus_cache_free(struct caucus_cache *cache); /* NULL does nothing */

/* What runs a blocking or nonblocking call's work, marked busy: one that is there, or a new one.
 * pending: of a nonblocking call that begins when its counts have come; by one thread at a time.
 * Local. */
int caucus_cache_take(struct caucus_cache *cache, struct caucus_work *work,
                      struct caucus_context *context, bool pending,
                      struct caucus_prepared **prepared);

/* Node memory for the schedule of such a call; and the arena that a blocking one runs in. */
void caucus_cache_limit(const struct caucus_cache *cache, struct caucus_work *work);
struct caucus_arena *caucus_cache_arena(const struct caucus_cache *cache,
                                        const struct caucus_schedule *schedule);

/* Forgets what such calls have left that watch the entry. By one thread at a time. */
void caucus_cache_drop(struct caucus_cache *cache, const struct caucus_learned_entry *watch);

/* That of an earlier call, marked busy, where this one has the same form and arguments, but perhaps
 * other buffers: all is checked already, and it is bound. NULL elsewhere. */
struct caucus_prepared *caucus_cache_recall(struct caucus_cache *cache,
                                            const struct caucus_collective_call *call);

/* The last that a persistent request with this key has left; NULL if there is none. Local, and
 * other ranks may find another. */
struct caucus_prepared *caucus_cache_take_persistent(struct caucus_cache *cache,
                                                     const struct caucus_key *key);

/* After its run is complete; also of what was never in the cache. Any thread. */
void caucus_cache_give_back(struct caucus_cache *cache, struct caucus_prepared *prepared);

#endif
