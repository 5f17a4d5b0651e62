/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/meeting.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/schedule/schedule.h"
#include "run/agree.h"
#include "run/execution.h"
#include "run/memory/node_memory.h"
#include "run/mpi_status.h"
#include "run/waiting.h"

#include <stdlib.h>

/* What a rank has written for the others of its node, in a line of its own. The leader's is the
 * verdict: it is written when all others are read, and these write again when they have read it. */
struct line {
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int64_t meeting; /* which one the rest belongs to */
    int64_t ready;
    uint64_t digest;
    int64_t offer;
};

struct caucus_meeting {
    MPI_Comm others; /* whom this rank meets by message: null for nobody */
    int local, ranks;
    int64_t count; /* meetings so far */
    struct line *line;
    struct caucus_node_block *block;
};

/* Whether the ranks that share memory are just those of a node, or each is by itself. A group has
 * no communicator of leaders, and must be on one node. */
static int find_others(const struct caucus_engine *engine, bool *possible, MPI_Comm *others) {
    const struct caucus_attachment *attachment = engine->attachment;
    *others = MPI_COMM_NULL;
    *possible = engine->nodes.nodes == 1;
    if (attachment->parent)
        return CAUCUS_OK;
    int32_t node = engine->nodes.node_of_rank[attachment->rank];
    int whole = caucus_node_size(&engine->nodes, node) == attachment->local_size, all;
    int status = caucus_peers_combine(&attachment->peers, &whole, &all, 1, MPI_INT, MPI_MIN);
    bool alone = !engine->shares_memory;
    *possible = all || alone;
    *others = alone ? attachment->comm : attachment->leaders;
    int size = 1;
    if (!status && *others != MPI_COMM_NULL)
        PMPI_Comm_size(*others, &size);
    if (size == 1)
        *others = MPI_COMM_NULL;
    return status;
}

static int take_lines(const struct caucus_engine *engine, struct caucus_meeting *meeting) {
    int32_t rank = engine->attachment->rank;
    int64_t bytes;
    meeting->local = engine->nodes.local_of_rank[rank];
    meeting->ranks = caucus_node_size(&engine->nodes, engine->nodes.node_of_rank[rank]);
    if (meeting->ranks == 1)
        return CAUCUS_OK;
    bytes = meeting->ranks * (int64_t)sizeof *meeting->line;
    int status = caucus_node_memory_take(engine->memory, bytes, bytes, 1, &meeting->block);
    if (!status)
        meeting->line = (struct line *)(void *)(meeting->block + 1);
    return status;
}

int caucus_meeting_create(struct caucus_engine *engine, struct caucus_meeting **made) {
    const struct caucus_peers *peers = &engine->attachment->peers;
    MPI_Comm others;
    bool possible;
    *made = NULL;
    int status = find_others(engine, &possible, &others);
    if (status || !possible)
        return status;
    struct caucus_meeting own = {.others = others};
    struct caucus_meeting *meeting = caucus_array(1, sizeof *meeting);
    int taken = take_lines(engine, &own); /* in any case: the others do */
    status = caucus_agree(peers, meeting ? taken : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status) {
        *meeting = own;
        *made = meeting;
        return CAUCUS_OK;
    }
    if (own.block)
        caucus_node_memory_let_go(own.block);
    free(meeting);
    return status;
}

void caucus_meeting_free(struct caucus_meeting *meeting) {
    if (!meeting)
        return;
    if (meeting->block)
        caucus_node_memory_let_go(meeting->block);
    free(meeting);
}

/* False where somebody is dead, and so may be who is waited for: what follows by messages finds out
 * more. */
static bool await(struct caucus_engine *engine, const struct line *line, int64_t count,
                  bool (*also)(void)) {
    enum { ROUNDS_PER_LOOK = 64 };
    int64_t round = 0;
    for (; atomic_load_explicit(&line->meeting, memory_order_acquire) != count; round++) {
        caucus_progress_all();
        if (also)
            also();
        caucus_waiting_pause(engine, round);
        if (round % ROUNDS_PER_LOOK == 0 && engine->detects && caucus_engine_has_dead(engine))
            return false;
    }
    if (round > 0)
        caucus_waiting_learn(engine, round);
    return true;
}

/* Nodes come to the same by the highest of what each has. */
static bool meet_others(const struct caucus_meeting *meeting, bool ready, uint64_t digest,
                        bool (*also)(void)) {
    uint64_t own[3] = {!ready, digest, ~digest}, highest[3];
    MPI_Request request;
    if (meeting->others == MPI_COMM_NULL)
        return ready;
    int status = caucus_mpi_status(
        PMPI_Iallreduce(own, highest, 3, MPI_UINT64_T, MPI_MAX, meeting->others, &request),
        "MPI_Iallreduce");
    if (!status)
        status = caucus_waiting_request(&request, also);
    return !status && !highest[0] && highest[1] == ~highest[2];
}

/* The leader reads the others' lines, and its own gets the verdict. */
static bool lead(struct caucus_engine *engine, bool ready, uint64_t digest, bool (*also)(void),
                 int64_t offer) {
    const struct caucus_meeting *meeting = engine->meeting;
    for (int local = 1; local < meeting->ranks; local++) {
        const struct line *line = &meeting->line[local];
        ready = await(engine, line, meeting->count, also) && ready && line->ready &&
                line->digest == digest;
    }
    ready = meet_others(meeting, ready, digest, also);
    if (meeting->line) {
        meeting->line->ready = ready;
        meeting->line->offer = offer;
        atomic_store_explicit(&meeting->line->meeting, meeting->count, memory_order_release);
    }
    return ready;
}

bool caucus_meet(struct caucus_engine *engine, bool ready, uint64_t digest, bool (*also)(void),
                 int64_t *offer) {
    struct caucus_meeting *meeting = engine->meeting;
    if (!meeting)
        return false;
    meeting->count++;
    if (meeting->local == 0)
        return lead(engine, ready, digest, also, *offer);
    struct line *own = &meeting->line[meeting->local];
    own->ready = ready;
    own->digest = digest;
    atomic_store_explicit(&own->meeting, meeting->count, memory_order_release);
    if (!await(engine, meeting->line, meeting->count, also))
        return false;
    *offer = meeting->line->offer;
    return meeting->line->ready;
}
