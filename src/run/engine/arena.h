/* SPDX-License-Identifier: BSD-3-Clause */
/* The room that a run of a schedule needs for itself: a tag, so that its messages meet no others,
 * and node memory. Runs in an arena follow one another; runs in different arenas overlap freely. */
#ifndef CAUCUS_RUN_ENGINE_ARENA_H
#define CAUCUS_RUN_ENGINE_ARENA_H

#include "plan/schedule/schedule.h"
#include "run/engine/engine.h"

#include <stdalign.h>
#include <stdatomic.h>

struct caucus_arena {
    int tag;
    int64_t number; /* of all that the engine made; tags begin again, numbers do not */
    int64_t run;    /* runs begun by this rank; all ranks begin the same runs in the same order */
    int32_t lines;  /* in each slot; runs take the slots in turns */
    int64_t bytes;
    int slots;         /* a power of 2, more where they are small: as many runs a rank
                          may be ahead of another */
    char *line, *node; /* lines, and bytes, of the first slot; NULL without node memory */
    int64_t line_stride, node_stride; /* from one slot to the next */
    _Atomic int64_t *done;  /* [local rank * 8]: the runs that each rank of the node has completed,
                               and behind it the runs it has begun; NULL without node memory */
    _Atomic uint16_t *link; /* [sender * ranks + receiver], by local rank: places for links of the
                               engine's table; NULL where messages within the node are MPI's */
    int64_t known_done;     /* all of the node have completed this many, as far as was looked */
    struct caucus_node_block *block; /* of the pool */
    bool broken; /* a run failed: what others do with it is not known, so nothing of it is used
                    again */
    struct caucus_execution *current; /* the active run; others follow it */
    struct caucus_arena *next;        /* of its engine */
};

/* So many alike, CAUCUS_NODE_BLOCKS at most. Collective over the engine's attachment, in the same
 * order on all ranks, those that have failed included: status. lines and bytes are the same on all
 * ranks of a node, and may be 0. All ranks get the same status and text; where that is a failure,
 * none. The lines are zeroed, and pages are there (posix_fallocate), so that no later access can
 * fail. */
int caucus_arenas_create(struct caucus_engine *engine, int status, int32_t lines, int64_t bytes,
                         int count, struct caucus_arena **arenas);

/* What they take of the node memory of so many ranks. Local. */
int64_t caucus_arenas_bytes(int32_t ranks, int32_t lines, int64_t bytes, int count);

static inline int caucus_arena_create(struct caucus_engine *engine, int32_t lines, int64_t bytes,
                                      struct caucus_arena **arena) {
    return caucus_arenas_create(engine, 0, lines, bytes, 1, arena);
}

/* More slots of an arena without runs, each of a share of what it had, from then on the most that a
 * run has. parts: a power of 2. Local, but ranks of a node divide it alike. */
void caucus_arena_divide(struct caucus_arena *arena, int parts);

/* caucus_arena_create in parts, for ranks that meet in between. Each proposes what it would make; a
 * rank that has to tell others of its node where the memory is sets *offer. If all have proposed
 * the same number, lines and bytes, they settle, with the offer of the lowest rank that shares
 * memory with them; otherwise all withdraw with their own. A proposal fails where tags or memory
 * can only be found together. Local. */
int caucus_arena_propose(struct caucus_engine *engine, int32_t lines, int64_t bytes,
                         struct caucus_arena **arena, int64_t *offer);
void caucus_arena_settle(struct caucus_engine *engine, struct caucus_arena *arena, int64_t offer);
void caucus_arena_withdraw(struct caucus_engine *engine, struct caucus_arena *arena, int64_t offer);

/* What it has of node memory. */
int64_t caucus_arena_size(const struct caucus_arena *arena);

/* One without node memory, for an engine that stands alone: its maker sees to it that all ranks
 * give the same tags to the same runs. Local. */
int caucus_arena_alone(struct caucus_engine *engine, int tag, struct caucus_arena **arena);

/* Not collective: ranks let go of it one by one; its memory is used again when the last of the node
 * has, its tag when the last of all ranks has. */
void caucus_arena_free(struct caucus_engine *engine, struct caucus_arena *arena);

#endif
