/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning of a channel: its receives. */
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/channel/survivor.h"
#include "run/mpi_status.h"
#include "run/private.h"
#include "run/waiting.h"

#include <stdlib.h>

/* Links, as the plan has them. */
int caucus_channel_runner_find_links(struct caucus_channel_runner *runner) {
    struct caucus_channel_setup *setup = &runner->setup;
    int32_t *list;
    int status = caucus_overlay_targets(&setup->overlay, runner->rank, &setup->targets, &list);
    free(list);
    if (!status)
        status = caucus_overlay_sources(&setup->overlay, runner->rank, &setup->sources, &list);
    if (status)
        return status;
    runner->link = caucus_array(setup->sources, sizeof *runner->link);
    for (int32_t i = 0; runner->link && i < setup->sources; i++)
        runner->link[i].rank = list[i];
    free(list);
    return runner->link ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* For messages without data. */
static int reserve_controls(struct caucus_channel_runner *runner) {
    int64_t most =
        (int64_t)sizeof(struct caucus_channel_message) + (runner->user.answer_bytes + 15) / 16 * 16;
    runner->control = (struct caucus_from_any){.comm = runner->comm,
                                               .tag = CAUCUS_CHANNEL_TAG_CONTROL,
                                               .most = (int)most,
                                               .request = MPI_REQUEST_NULL};
    runner->control.bytes = caucus_array(most, 1);
    if (runner->user.answer_bytes > 0)
        runner->answers = caucus_array(runner->setup.overlay.ranks, sizeof(void *));
    if (!runner->control.bytes || (!runner->answers && runner->user.answer_bytes))
        return CAUCUS_NO_MEMORY;
    return runner->answers ? caucus_channel_outcome_reserve(runner) : CAUCUS_OK;
}

int caucus_channel_runner_reserve_slots(struct caucus_channel_runner *runner) {
    struct caucus_channel_setup *setup = &runner->setup;
    int64_t slots = (int64_t)setup->sources * setup->credits;
    int64_t aligned = (setup->segment + 15) / 16 * 16; /* what is delivered in place */
    int64_t size = (int64_t)sizeof(struct caucus_channel_message) + aligned;
    runner->receive = caucus_array(slots, sizeof *runner->receive);
    for (int64_t i = 0; runner->receive && i < slots; i++)
        runner->receive[i] = MPI_REQUEST_NULL;
    runner->slot = caucus_array(slots, sizeof *runner->slot);
    runner->memory = caucus_array(slots, (size_t)size);
    if (!runner->slot || !runner->memory || !runner->receive)
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < slots; i++)
        runner->slot[i].bytes = runner->memory + i * size;
    return CAUCUS_OK;
}

static int reserve(struct caucus_channel_runner *runner) {
    struct caucus_channel_setup *setup = &runner->setup;
    /* Of one that survives, also a receive from every rank, and a message given. */
    int64_t looked_at = runner->survivor
                            ? runner->survivor->setup.channel.sources + 2 * setup->overlay.ranks
                            : (int64_t)setup->sources;
    runner->awaited = caucus_array(looked_at, sizeof *runner->awaited);
    runner->told = caucus_array(looked_at, sizeof *runner->told);
    runner->came = caucus_array(looked_at, sizeof *runner->came);
    runner->held_bytes = caucus_array(runner->user.deliver ? 0 : setup->segment, 1);
    runner->path = caucus_array(setup->overlay.ranks, sizeof *runner->path);
    runner->piece = caucus_array(setup->credits, sizeof(void *));
    runner->kept = caucus_array(setup->total_order ? setup->window : 0, sizeof(void *));
    if (!runner->awaited || !runner->told || !runner->came || !runner->held_bytes ||
        !runner->path || !runner->piece || !runner->kept)
        return CAUCUS_NO_MEMORY;
    int status = caucus_channel_runner_reserve_slots(runner);
    if (status || runner->survivor)
        return status;
    runner->state = caucus_array(caucus_channel_protocol.state_bytes(setup), 1);
    if (!runner->state)
        return CAUCUS_NO_MEMORY;
    caucus_channel_protocol.begin(setup, runner->rank, runner->state);
    return CAUCUS_OK;
}

static int start_data(struct caucus_channel_runner *runner) {
    int64_t slots = (int64_t)runner->setup.sources * runner->setup.credits;
    int size = (int)(sizeof(struct caucus_channel_message) + (size_t)runner->setup.segment);
    int code = MPI_SUCCESS;
    for (int64_t i = 0; code == MPI_SUCCESS && i < slots; i++) {
        if (runner->link[i / runner->setup.credits].shared)
            continue;
        code = PMPI_Recv_init(runner->slot[i].bytes, size, MPI_BYTE,
                              runner->link[i / runner->setup.credits].rank, CAUCUS_CHANNEL_TAG_DATA,
                              runner->comm, &runner->receive[i]);
        if (code == MPI_SUCCESS)
            code = PMPI_Start(&runner->receive[i]);
    }
    return caucus_mpi_status(code, "MPI_Recv_init or MPI_Start");
}

static int start_receives(struct caucus_channel_runner *runner) {
    if (runner->survivor)
        return caucus_channel_survivor_start(runner);
    return start_data(runner);
}

static int prepare(struct caucus_channel_runner *runner) {
    int status = CAUCUS_OK;
    if (runner->setup.overlay.nodes) {
        status = caucus_node_map_init(&runner->nodes, runner->setup.overlay.ranks,
                                      runner->setup.overlay.nodes->node_of_rank);
        runner->setup.overlay.nodes = &runner->nodes;
    }
    if (!status)
        status = caucus_channel_runner_find_links(runner);
    if (!status && runner->user.keeps > 0)
        status = caucus_channel_survivor_open(runner);
    if (!status)
        status = reserve(runner);
    if (!status && !runner->survivor)
        status = reserve_controls(runner);
    if (!status)
        status = caucus_channel_node_links_count(runner);
    if (!status && pthread_mutex_init(&runner->lock, NULL) != 0)
        status = caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    else if (!status)
        runner->has_lock = true;
    return status;
}

static int start(struct caucus_channel_runner *runner) {
    int status = caucus_channel_node_links_open(runner);
    if (!status)
        status = start_receives(runner);
    if (!status && runner->user.thread)
        status = caucus_channel_runner_start_thread(runner);
    return status;
}

int caucus_channel_runner_open(struct caucus_engine *engine, MPI_Comm comm,
                               const struct caucus_channel_setup *setup,
                               struct caucus_channel_user user,
                               struct caucus_channel_runner **made) {
    caucus_channel_runner_reap();
    struct caucus_channel_runner *runner = caucus_array(1, sizeof *runner);
    int status = runner ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (runner) {
        runner->engine = engine;
        runner->comm = comm;
        runner->barrier = MPI_REQUEST_NULL;
        runner->setup = *setup;
        runner->user = user;
        runner->control.request = MPI_REQUEST_NULL;
        PMPI_Comm_rank(comm, &runner->rank);
        status = prepare(runner);
    }
    struct caucus_peers peers = caucus_peers_all(comm);
    status = caucus_agree(&peers, status, 0, NULL);
    if (!status)
        status = caucus_agree(&peers, start(runner), 0, NULL);
    if (status && runner) {
        caucus_channel_runner_stop_thread(runner);
        runner->comm = MPI_COMM_NULL; /* the caller's still */
        caucus_channel_runner_destroy(runner);
        runner = NULL;
    }
    *made = runner;
    if (runner) {
        runner->waits_source = (struct caucus_waits_source){
            .tell = caucus_channel_runner_tell_waits, .context = runner};
        caucus_waits_add(&runner->waits_source);
    }
    return status;
}
