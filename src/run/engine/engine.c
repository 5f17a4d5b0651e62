/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/engine.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/machine_share.h"
#include "run/engine/digest_agreement.h"
#include "run/engine/one_copy.h"
#include "run/memory/node_memory.h"
#include "run/peers/agree.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"
#include "run/support/threads.h"
#include "run/support/waits.h"

#include <stdlib.h>

static struct caucus_engine *engines; /* of this process */
static pthread_mutex_t engines_lock = PTHREAD_MUTEX_INITIALIZER;

static const double LONGEST_TIMEOUT = 1e9; /* in nanoseconds it fits 64 bits */

int caucus_engine_read_limit(double *timeout) {
    char *end;
    const char *text = caucus_setting_text(CAUCUS_SETTING_TIMEOUT);
    *timeout = caucus_number_read(text, &end);
    if (end == text || *end || !(*timeout >= 0 && *timeout <= LONGEST_TIMEOUT))
        return caucus_setting_blame(
            CAUCUS_SETTING_TIMEOUT,
            caucus_fail(CAUCUS_BAD_ARGUMENT,
                        "CAUCUS_TIMEOUT is '%.60s': it must be a number of seconds, at most %g, or "
                        "0 for no limit",
                        text, LONGEST_TIMEOUT));
    return CAUCUS_OK;
}

int caucus_engine_read_timeout(double *timeout) {
    int status = caucus_engine_read_limit(timeout);
    return status ? status : caucus_waits_begin();
}

/* What this rank wants of its node; not all need want the same. */
struct wants {
    bool memory, one_copy;
};

static int read_wants(struct wants *wants) {
    int status = caucus_setting_is(CAUCUS_SETTING_SHARED_MEMORY, "1", &wants->memory);
    wants->memory = !status && wants->memory;
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_ONE_COPY, "auto", &wants->one_copy);
    return status;
}

static int read_settings(struct caucus_engine *engine, struct wants *wants) {
    int status = read_wants(wants);
    return status ? status : caucus_engine_read_timeout(&engine->timeout);
}

int caucus_engine_check_settings(void) {
    struct wants wants;
    double timeout;
    int status = read_wants(&wants);
    return status ? status : caucus_engine_read_limit(&timeout);
}

/* Open MPI 5.0.11 has the attribute on MPI_COMM_WORLD alone, for all; where there is none, the
 * standard promises 32,767. */
int caucus_engine_count_tags(MPI_Comm comm, int64_t *tags) {
    const MPI_Comm asked[] = {comm, MPI_COMM_WORLD};
    void *bound;
    int found = 0, status = CAUCUS_OK;
    for (int i = 0; i < 2 && !status && !found; i++)
        status = caucus_mpi_status(PMPI_Comm_get_attr(asked[i], MPI_TAG_UB, &bound, &found),
                                   "MPI_Comm_get_attr");
    *tags = found ? (int64_t)*(int *)bound + 1 : 32768;
    return status;
}

static int read_mpi(struct caucus_engine *engine) {
    int status = caucus_engine_count_tags(engine->attachment->comm, &engine->tags);
    /* As many are for groups, the one after these for run/creation, and the next for roll calls. */
    engine->tags = (engine->tags - 2) / 2;
    engine->threads = caucus_threads_may();
    engine->detects = caucus_failure_detected();
    return status;
}

/* What a new engine is made of. */
struct making {
    const struct caucus_attachment *attachment;
    struct caucus_tags tags;
    caucus_engine_wants *wants; /* or NULL */
};

static int64_t wanted_bytes(const struct making *making, int32_t ranks) {
    int64_t bytes = making->wants ? making->wants(ranks, making->attachment->first_group > 0) : 0;
    return bytes + caucus_one_copy_bytes(ranks);
}

/* Whom this rank may share memory with: its node or, where CAUCUS_NODES says what that is, those of
 * them who are on one machine, in *owned then too. */
static int find_sharers(const struct caucus_attachment *attachment, MPI_Comm *sharers,
                        MPI_Comm *owned) {
    *sharers = attachment->node;
    *owned = MPI_COMM_NULL;
    if (!attachment->described)
        return CAUCUS_OK;
    int status =
        caucus_mpi_status(PMPI_Comm_split_type(attachment->node, MPI_COMM_TYPE_SHARED,
                                               attachment->local_rank, MPI_INFO_NULL, owned),
                          "MPI_Comm_split_type");
    *sharers = *owned;
    return status;
}

/* Of the ranks that share memory with this one, itself among them. */
struct sharing {
    int32_t lowest, count;
    bool scattered; /* they do not follow one another */
    bool refused;   /* this rank may not read the memory of all of them, or does not want to */
};

/* Tries what ranks of a node can share. Only a failure of MPI is one: without memory each shares
 * with itself. */
static int share_memory(struct caucus_engine *engine, const struct making *making,
                        const struct wants *wants, struct sharing *sharing) {
    const struct caucus_attachment *attachment = engine->attachment;
    MPI_Comm sharers, owned;
    *sharing = (struct sharing){attachment->rank, 1, false, false};
    if (attachment->local_size == 1) /* see run/support/alone.h */
        return CAUCUS_OK;
    int status = find_sharers(attachment, &sharers, &owned);
    if (status)
        return status;
    const struct caucus_peers peers = caucus_peers_all(sharers);
    if (peers.size == 1) {
        PMPI_Comm_free(&owned);
        return CAUCUS_OK;
    }
    int32_t first = attachment->rank;
    status = caucus_peers_bcast(&peers, &first, 1, MPI_INT32_T, 0);
    int64_t bytes = wanted_bytes(making, peers.size);
    if (caucus_node_memory_create(&peers, owned, wants->memory, bytes, &engine->memory) || status)
        return status;
    *sharing = (struct sharing){first, peers.size, attachment->rank != first + peers.rank, false};
    return caucus_one_copy_try(engine, &peers, wants->one_copy, &sharing->refused);
}

/* Nodes of any kind: every rank tells all others whom it shares memory with. */
static int map_any_nodes(struct caucus_engine *engine, int32_t lowest) {
    const struct caucus_attachment *attachment = engine->attachment;
    int32_t *labels = caucus_array(attachment->size, sizeof *labels);
    int status = caucus_agree(&attachment->peers, labels ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_peers_allgather(&attachment->peers, &lowest, 1, MPI_INT32_T, labels);
    if (!status)
        status =
            caucus_agree(&attachment->peers,
                         caucus_node_map_init(&engine->nodes, attachment->size, labels), 0, NULL);
    free(labels);
    return status;
}

/* What all find out together about who shares memory with whom. */
enum { FAILED, LARGEST, SMALLEST, SCATTERED, BEYOND_NODE, REFUSED, FIGURES };

/* One MPI_Allreduce and a formula where nodes are blocks of equally many ranks, but for the last.
 * shared: how sharing memory has gone on this rank. */
static int map_nodes(struct caucus_engine *engine, int shared, struct sharing own) {
    const struct caucus_attachment *attachment = engine->attachment;
    bool is_last = own.lowest + own.count == attachment->size;
    int64_t highest[FIGURES],
        figures[FIGURES] = {[FAILED] = shared != CAUCUS_OK,
                            [LARGEST] = own.count,
                            [SMALLEST] = is_last ? -INT32_MAX : -own.count,
                            [SCATTERED] = own.scattered,
                            [BEYOND_NODE] = own.count != attachment->local_size,
                            [REFUSED] = own.refused};
    int status =
        caucus_peers_allreduce(&attachment->peers, figures, highest, FIGURES, MPI_INT64_T, MPI_MAX);
    if (!status && highest[FAILED])
        status = caucus_agree(&attachment->peers, shared, 0, NULL);
    if (status)
        return status;
    bool blocks = !highest[SCATTERED] && -highest[SMALLEST] >= highest[LARGEST];
    status =
        blocks ? caucus_node_map_blocks(&engine->nodes, attachment->size, (int32_t)highest[LARGEST])
               : map_any_nodes(engine, own.lowest);
    engine->shares_memory = highest[LARGEST] > 1;
    engine->shares_by_nodes = !highest[BEYOND_NODE];
    engine->one_copy = engine->shares_memory && !highest[REFUSED];
    if (!engine->one_copy)
        caucus_one_copy_refuse(engine);
    return status;
}

static void spin_if_alone(struct caucus_engine *engine) {
    engine->waiting.spins = engine->ranks_per_core <= 1 ? CAUCUS_MOST_SPINS : 0;
}

static int fill(struct caucus_engine *engine, const struct making *making, int status) {
    const struct caucus_attachment *attachment = making->attachment;
    struct wants wants;
    struct sharing sharing;
    if (!status)
        status = read_settings(engine, &wants);
    if (!status)
        status = read_mpi(engine);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status)
        return status;
    status = caucus_ranks_per_core(attachment, &engine->ranks_per_core);
    spin_if_alone(engine);
    if (!status) {
        int shared = share_memory(engine, making, &wants, &sharing);
        status = map_nodes(engine, shared, sharing);
    }
    return status ? status : caucus_digest_agreement_create(engine, &engine->agreement);
}

/* The nodes of a group are its parent's; without memory every member is by itself. */
static int map_members(struct caucus_engine *engine, bool shares) {
    const struct caucus_attachment *attachment = engine->attachment;
    const struct caucus_node_map *nodes = &attachment->parent->engine->nodes;
    caucus_node_map_free(&engine->nodes);
    engine->shares_memory = false;
    if (!shares)
        return caucus_node_map_blocks(&engine->nodes, attachment->size, 1);
    int32_t *labels = caucus_array(attachment->size, sizeof *labels);
    if (!labels)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < attachment->size; i++)
        labels[i] = caucus_node_of_rank(nodes, attachment->peers.rank_of[i]);
    int status = caucus_node_map_init(&engine->nodes, attachment->size, labels);
    engine->shares_memory = !status && engine->nodes.largest > 1;
    free(labels);
    return status;
}

/* All nodes have it, or none. */
static int share_memory_of_members(struct caucus_engine *engine, const struct making *making) {
    const struct caucus_peers *all = &engine->attachment->peers;
    const struct caucus_node_map *nodes = &engine->nodes;
    int32_t node = caucus_engine_node(engine), count = caucus_engine_node_size(engine);
    for (int32_t i = 0; i < count; i++)
        engine->node_rank_of[i] = all->rank_of[caucus_rank_in_node(nodes, node, i)];
    const struct caucus_peers peers = {.comm = all->comm,
                                       .rank = caucus_engine_local(engine),
                                       .size = count,
                                       .rank_of = engine->node_rank_of,
                                       .tag = all->tag};
    enum { LACKS_TABLE = 1, LACKS_MEMORY };
    int lacks =
        count > 1 && caucus_node_memory_create(&peers, MPI_COMM_NULL, true,
                                               wanted_bytes(making, count), &engine->memory);
    lacks = lacks                                                     ? LACKS_MEMORY
            : count > 1 && caucus_one_copy_lacks_table(engine, count) ? LACKS_TABLE
                                                                      : 0;
    int any, status = caucus_peers_allreduce(all, &lacks, &any, 1, MPI_INT, MPI_MAX);
    if (!status && any == LACKS_TABLE)
        caucus_one_copy_refuse(engine);
    if (status || any != LACKS_MEMORY)
        return status;
    caucus_one_copy_refuse(engine); /* its table lies in that memory */
    caucus_node_memory_free(engine->memory);
    engine->memory = NULL;
    return caucus_agree(all, map_members(engine, false), 0, NULL);
}

static int inherit(struct caucus_engine *engine) {
    const struct caucus_engine *parent = engine->attachment->parent->engine;
    engine->timeout = parent->timeout;
    engine->threads = parent->threads;
    engine->detects = parent->detects;
    engine->ranks_per_core = parent->ranks_per_core;
    spin_if_alone(engine);
    int status = map_members(engine, true);
    if (status)
        return status;
    engine->node_rank_of =
        caucus_array(caucus_engine_node_size(engine), sizeof *engine->node_rank_of);
    return engine->node_rank_of ? caucus_one_copy_inherit(engine) : CAUCUS_NO_MEMORY;
}

static int fill_members(struct caucus_engine *engine, const struct making *making, int status) {
    if (!status)
        status = inherit(engine);
    status = caucus_agree(&making->attachment->peers, status, 0, NULL);
    if (!status && engine->shares_memory)
        status = share_memory_of_members(engine, making);
    return status ? status : caucus_digest_agreement_create(engine, &engine->agreement);
}

static void destroy(struct caucus_engine *engine) {
    caucus_digest_agreement_free(engine->agreement);
    caucus_node_memory_free(engine->memory);
    caucus_node_map_free(&engine->nodes);
    free(engine->node_rank_of);
    free(engine->process);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

/* Under the lock. */
static void destroy_gone(void) {
    for (struct caucus_engine **at = &engines; *at;) {
        struct caucus_engine *engine = *at;
        if (engine->gone) {
            *at = engine->next;
            destroy(engine);
        } else {
            at = &engine->next;
        }
    }
}

static int make_lock(struct caucus_engine *engine) {
    int error = pthread_mutex_init(&engine->lock, NULL);
    if (error)
        return caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    pthread_mutex_lock(&engines_lock);
    engine->next = engines;
    engines = engine;
    destroy_gone();
    pthread_mutex_unlock(&engines_lock);
    return CAUCUS_OK;
}

static void belongs_to(struct caucus_engine *engine, struct caucus_attachment *attachment) {
    engine->attachment = attachment;
    engine->dead = -1;
    engine->waiting.comm = attachment->comm;
    engine->waiting.self = caucus_engine_rank(engine, attachment->rank);
}

static int make(struct caucus_attachment *attachment, const struct making *making,
                int (*fill_it)(struct caucus_engine *engine, const struct making *making,
                               int status),
                struct caucus_engine **made) {
    struct caucus_engine *engine = caucus_array(1, sizeof *engine);
    int status = engine ? make_lock(engine) : CAUCUS_NO_MEMORY;
    if (status) {
        free(engine);
        engine = NULL;
    } else {
        belongs_to(engine, attachment);
        engine->first_tag = making->tags.first;
        engine->tags = making->tags.count;
    }
    status = fill_it(engine, making, status);
    if (status) {
        caucus_engine_free(engine);
        return status;
    }
    engine->ready = true;
    attachment->free_engine = caucus_engine_free;
    *made = attachment->engine = engine;
    return CAUCUS_OK;
}

int caucus_engine_get(struct caucus_attachment *attachment, caucus_engine_wants *wants,
                      struct caucus_engine **engine) {
    const struct making making = {attachment, {0, 0}, wants};
    *engine = attachment->engine;
    return *engine ? CAUCUS_OK : make(attachment, &making, fill, engine);
}

int caucus_engine_members(struct caucus_attachment *attachment, struct caucus_tags tags,
                          caucus_engine_wants *wants, struct caucus_engine **engine) {
    const struct making making = {attachment, tags, wants};
    return make(attachment, &making, fill_members, engine);
}

static int fill_alone(struct caucus_engine *engine, const struct making *making, int status) {
    struct wants wants;
    if (!status)
        status = read_settings(engine, &wants);
    if (!status)
        status = read_mpi(engine);
    if (!status)
        status = caucus_node_map_blocks(&engine->nodes, making->attachment->size, 1);
    if (!status) {
        engine->tags = making->tags.count; /* not MPI's, all of which are its parent's */
        engine->ranks_per_core = making->attachment->parent->engine->ranks_per_core;
        spin_if_alone(engine);
    }
    return status;
}

int caucus_engine_alone(struct caucus_attachment *attachment, struct caucus_tags tags,
                        struct caucus_engine **engine) {
    const struct making making = {attachment, tags, NULL};
    return make(attachment, &making, fill_alone, engine);
}

/* May be called back by MPI_Comm_free, under a lock of MPI's for which the owner of ours may be
 * waiting: so it never waits itself. */
void caucus_engine_free(struct caucus_engine *engine) {
    if (!engine)
        return;
    engine->gone = true;
    if (pthread_mutex_trylock(&engines_lock) != 0)
        return; /* who comes by next destroys it */
    destroy_gone();
    pthread_mutex_unlock(&engines_lock);
}

void caucus_engine_each(void (*visit)(struct caucus_engine *engine, void *context), void *context) {
    pthread_mutex_lock(&engines_lock);
    for (struct caucus_engine *engine = engines; engine; engine = engine->next) {
        if (engine->gone || !engine->ready)
            continue;
        caucus_engine_lock(engine);
        if (engine->active)
            visit(engine, context);
        caucus_engine_unlock(engine);
    }
    destroy_gone();
    pthread_mutex_unlock(&engines_lock);
}

int caucus_engine_dead(struct caucus_engine *engine) {
    int count, dead;
    if (!engine->detects || caucus_failure_ranks(engine->attachment->comm, NULL, 0, &count))
        return -1;
    if (count == engine->deaths)
        return engine->dead;
    if (caucus_peers_dead(&engine->attachment->peers, &dead)) /* to be asked for again */
        return engine->dead;
    engine->deaths = count;
    engine->dead = dead;
    return dead;
}

bool caucus_engine_has_dead(struct caucus_engine *engine) {
    caucus_engine_lock(engine);
    int dead = caucus_engine_dead(engine);
    caucus_engine_unlock(engine);
    return dead >= 0;
}
