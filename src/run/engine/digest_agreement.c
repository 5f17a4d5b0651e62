/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/digest_agreement.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/schedule/schedule.h"
#include "run/memory/node_memory.h"
#include "run/peers/agree.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

/* What a rank has written for the others of its node, in a line of its own. The leader's is the
 * verdict: it is written when all others are read, and these write again when they have read it. */
struct line {
    alignas(CAUCUS_NODE_ALIGNMENT) _Atomic int64_t agreement; /* which one the rest belongs to */
    int64_t ready;
    uint64_t digest;
    int64_t offer;
};

struct caucus_digest_agreement {
    MPI_Comm others; /* whom this rank meets by message: null for nobody */
    int local, ranks;
    int64_t count; /* meetings so far */
    struct line *line;
    struct caucus_node_block *block;
};

/* Whether the ranks that share memory are just those of a node, or each is by itself. A group has
 * no communicator of leaders, and must be on one node. */
static bool find_others(const struct caucus_engine *engine, MPI_Comm *others) {
    const struct caucus_attachment *attachment = engine->attachment;
    int size = 1;
    *others = MPI_COMM_NULL;
    if (attachment->parent)
        return engine->nodes.nodes == 1;
    *others = engine->shares_memory ? attachment->leaders : attachment->comm;
    if (*others != MPI_COMM_NULL)
        PMPI_Comm_size(*others, &size);
    if (size == 1)
        *others = MPI_COMM_NULL;
    return engine->shares_by_nodes || !engine->shares_memory;
}

static int take_lines(const struct caucus_engine *engine,
                      struct caucus_digest_agreement *agreement) {
    int64_t bytes;
    agreement->local = caucus_engine_local(engine);
    agreement->ranks = caucus_engine_node_size(engine);
    if (agreement->ranks == 1)
        return CAUCUS_OK;
    bytes = agreement->ranks * (int64_t)sizeof *agreement->line;
    int status = caucus_node_memory_take(engine->memory, bytes, bytes, 1, &agreement->block);
    if (!status)
        agreement->line = (struct line *)(void *)(agreement->block + 1);
    return status;
}

int caucus_digest_agreement_create(struct caucus_engine *engine,
                                   struct caucus_digest_agreement **made) {
    const struct caucus_peers *peers = &engine->attachment->peers;
    MPI_Comm others;
    *made = NULL;
    if (!find_others(engine, &others))
        return CAUCUS_OK;
    struct caucus_digest_agreement own = {.others = others};
    struct caucus_digest_agreement *agreement = caucus_array(1, sizeof *agreement);
    int taken = take_lines(engine, &own); /* in any case: the others do */
    int status = caucus_agree(peers, agreement ? taken : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status) {
        *agreement = own;
        *made = agreement;
        return CAUCUS_OK;
    }
    if (own.block)
        caucus_node_memory_let_go(own.block);
    free(agreement);
    return status;
}

void caucus_digest_agreement_free(struct caucus_digest_agreement *agreement) {
    if (!agreement)
        return;
    if (agreement->block)
        caucus_node_memory_let_go(agreement->block);
    free(agreement);
}

/* False where somebody is dead, and so may be who is waited for: what follows by messages finds out
 * more. */
static bool await(struct caucus_engine *engine, const struct line *line, int64_t count) {
    enum { ROUNDS_PER_LOOK = 64 };
    int64_t round = 0;
    for (; atomic_load_explicit(&line->agreement, memory_order_acquire) != count; round++) {
        caucus_progress_up_to(CAUCUS_PROGRESS_ACTIVE);
        caucus_waiting_pause(&engine->waiting, round);
        if (round % ROUNDS_PER_LOOK == 0 && engine->detects && caucus_engine_has_dead(engine))
            return false;
    }
    if (round > 0)
        caucus_waiting_learn(&engine->waiting, round);
    return true;
}

/* Nodes come to the same by the highest of what each has. */
static bool meet_others(const struct caucus_digest_agreement *agreement, bool ready,
                        uint64_t digest) {
    uint64_t own[3] = {!ready, digest, ~digest}, highest[3];
    MPI_Request request;
    if (agreement->others == MPI_COMM_NULL)
        return ready;
    int status = caucus_mpi_status(
        PMPI_Iallreduce(own, highest, 3, MPI_UINT64_T, MPI_MAX, agreement->others, &request),
        "MPI_Iallreduce");
    if (!status)
        status = caucus_waiting_request(&request);
    return !status && !highest[0] && highest[1] == ~highest[2];
}

/* The leader reads the others' lines, and its own gets the verdict. */
static bool lead(struct caucus_engine *engine, bool ready, uint64_t digest, int64_t offer) {
    const struct caucus_digest_agreement *agreement = engine->agreement;
    for (int local = 1; local < agreement->ranks; local++) {
        const struct line *line = &agreement->line[local];
        ready =
            await(engine, line, agreement->count) && ready && line->ready && line->digest == digest;
    }
    ready = meet_others(agreement, ready, digest);
    if (agreement->line) {
        agreement->line->ready = ready;
        agreement->line->offer = offer;
        atomic_store_explicit(&agreement->line->agreement, agreement->count, memory_order_release);
    }
    return ready;
}

bool caucus_digest_agree(struct caucus_engine *engine, bool ready, uint64_t digest,
                         int64_t *offer) {
    struct caucus_digest_agreement *agreement = engine->agreement;
    if (!agreement)
        return false;
    agreement->count++;
    if (agreement->local == 0)
        return lead(engine, ready, digest, *offer);
    struct line *own = &agreement->line[agreement->local];
    own->ready = ready;
    own->digest = digest;
    atomic_store_explicit(&own->agreement, agreement->count, memory_order_release);
    if (!await(engine, agreement->line, agreement->count))
        return false;
    *offer = agreement->line->offer;
    return agreement->line->ready;
}
