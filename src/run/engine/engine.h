/* SPDX-License-Identifier: BSD-3-Clause */
/* What the runs of schedules on an attached communicator share: tags, node memory, and the list of
 * the active ones, so that whoever waits for one moves all. */
#ifndef CAUCUS_RUN_ENGINE_ENGINE_H
#define CAUCUS_RUN_ENGINE_ENGINE_H

#include "plan/machine/node_map.h"
#include "run/attachment/attach.h"
#include "run/engine/link_table.h"
#include "run/progress/waiting.h"

#include <pthread.h>
#include <stdatomic.h>

struct caucus_arena;
struct caucus_execution;
struct caucus_digest_agreement;
struct caucus_node_memory;

struct caucus_engine {
    struct caucus_attachment *attachment;
    struct caucus_node_map nodes; /* of the ranks that share memory, within the attachment's nodes;
                                     every rank by itself where no memory can be shared */
    bool shares_memory;           /* on all ranks alike: some node has several ranks */
    bool shares_by_nodes;         /* likewise: who shares memory are just the ranks of a node */
    bool one_copy;                /* likewise: the ranks of each node may read and write the memory
                                     of one another (one_copy.h) */
    int ranks_per_core;           /* of this node, rounded up: whether waiting spins or yields */
    int64_t first_tag, tags;      /* its own of the attachment's communicator */
    int64_t next_tag;
    struct caucus_arena *arenas;       /* a list of those that this rank has not let go of */
    struct caucus_node_memory *memory; /* the pool of this node; NULL without shared memory */
    int64_t *process; /* [local rank]: of this node, where one_copy and there are several */
    struct caucus_link_table links; /* likewise */
    uint64_t word;     /* by which others know this process: run/memory/peer_memory.h */
    int *node_rank_of; /* of a group: who shares it, ranks of the communicator */
    struct caucus_digest_agreement *agreement;     /* NULL: all agreement is by message */
    struct caucus_execution *active, *active_last; /* a list, in the order of their starts */
    int active_count;
    pthread_mutex_t lock; /* held where the above is changed or an execution is moved on; taken only
                             if MPI allows several threads at a time */
    bool threads;
    /* How often to look without giving the processor away: 0 where ranks share processors, else as
     * often as has been worth it of late. */
    struct caucus_waiting waiting;
    bool has_failed;            /* a run did: what others sent for it may still come */
    double timeout;             /* seconds; 0 for none */
    bool detects;               /* MPI tells of deaths; */
    int deaths, dead;           /* so many on the communicator when last asked, of whom one is a
                                   rank of the attachment; -1 */
    struct caucus_engine *next; /* of this process */
    _Atomic bool ready, gone;   /* other threads may look at it once it is ready */
};

/* Bytes of node memory that will be wanted soon where a node has so many ranks, of an attachment
 * with one group or two: the pool has that much from the start. NULL: few. */
typedef int64_t caucus_engine_wants(int32_t ranks, bool between);

/* Makes the engine of an attachment, or finds it: collective over it then, all ranks get the same
 * status and text. It goes with the attachment. */
int caucus_engine_get(struct caucus_attachment *attachment, caucus_engine_wants *wants,
                      struct caucus_engine **engine);

/* Which tags of an attachment's communicator an engine has. */
struct caucus_tags {
    int64_t first, count;
};

/* The same for the attachment of a group: what its parent's engine found out of nodes holds for
 * it too. */
int caucus_engine_members(struct caucus_attachment *attachment, struct caucus_tags tags,
                          caucus_engine_wants *wants, struct caucus_engine **engine);

/* The same, but one that knows no nodes and shares no memory. Local. */
int caucus_engine_alone(struct caucus_attachment *attachment, struct caucus_tags tags,
                        struct caucus_engine **engine);

/* Whether the settings that are read for an engine have values that they may have. Local. */
int caucus_engine_check_settings(void);

/* The setting CAUCUS_TIMEOUT, in seconds; also before MPI_Init. Local. */
int caucus_engine_read_limit(double *timeout);

/* The same; and whoever asks who waits for whom is listened to from then on.
 * Local. */
int caucus_engine_read_timeout(double *timeout);

/* MPI_TAG_UB + 1. */
int caucus_engine_count_tags(MPI_Comm comm, int64_t *tags);

/* Of an attachment that is no group's: the tag of roll calls. */
static inline int caucus_engine_roll_tag(const struct caucus_engine *engine) {
    return (int)(2 * engine->tags + 1);
}

/* A rank of the attachment that is known to be dead; -1. Under the lock. */
int caucus_engine_dead(struct caucus_engine *engine);

/* Whether there is one; takes the lock. */
bool caucus_engine_has_dead(struct caucus_engine *engine);

/* Local; NULL does nothing. */
void caucus_engine_free(struct caucus_engine *engine);

/* Calls visit for every engine of this process that has something active; local. */
void caucus_engine_each(void (*visit)(struct caucus_engine *engine, void *context), void *context);

/* The rank of a schedule's peer in the attachment's communicator. */
static inline int caucus_engine_rank(const struct caucus_engine *engine, int peer) {
    const int *rank_of = engine->attachment->peers.rank_of;
    return rank_of ? rank_of[peer] : peer;
}

/* Of the ranks that share memory: this one's node, its place there, and how many are on it. */
static inline int32_t caucus_engine_node(const struct caucus_engine *engine) {
    return caucus_node_of_rank(&engine->nodes, engine->attachment->rank);
}

static inline int32_t caucus_engine_local(const struct caucus_engine *engine) {
    return caucus_local_of_rank(&engine->nodes, engine->attachment->rank);
}

static inline int32_t caucus_engine_node_size(const struct caucus_engine *engine) {
    return caucus_node_size(&engine->nodes, caucus_engine_node(engine));
}

static inline void caucus_engine_lock(struct caucus_engine *engine) {
    if (engine->threads)
        pthread_mutex_lock(&engine->lock);
}

static inline void caucus_engine_unlock(struct caucus_engine *engine) {
    if (engine->threads)
        pthread_mutex_unlock(&engine->lock);
}

#endif
