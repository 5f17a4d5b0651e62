/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning of a channel: its receives. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/failures.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/peers/agree.h"
#include "run/support/private.h"

#include <stdlib.h>

/* Links, as the plan has them. */
static int find_links(struct caucus_channel_runner *runner) {
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
    runner->most_links = setup->sources;
    return runner->link ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* For messages without data. */
static int reserve_controls(struct caucus_channel_runner *runner) {
    int64_t most =
        (int64_t)sizeof(struct caucus_channel_message) + (runner->user.answer_bytes + 15) / 16 * 16;
    int status = caucus_mailbox_open(&runner->control, runner->comm, CAUCUS_CHANNEL_TAG_CONTROL,
                                     most, runner->kind->hears_of_deaths);
    if (status || runner->user.answer_bytes == 0)
        return status;
    runner->answers = caucus_array(runner->ranks, sizeof(void *));
    return runner->answers ? caucus_channel_allreduce_reserve(runner) : CAUCUS_NO_MEMORY;
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
    int32_t links = runner->most_links;
    runner->awaited = caucus_array(links, sizeof *runner->awaited);
    runner->told = caucus_array(links, sizeof *runner->told);
    runner->came = caucus_array(links, sizeof *runner->came);
    runner->held_bytes = caucus_array(runner->user.deliver ? 0 : setup->segment, 1);
    runner->path = caucus_array(setup->overlay.ranks, sizeof *runner->path);
    runner->piece = caucus_array(setup->credits, sizeof(void *));
    runner->kept = caucus_array(setup->total_order ? setup->window : 0, sizeof(void *));
    if (!runner->awaited || !runner->told || !runner->came || !runner->held_bytes ||
        !runner->path || !runner->piece || !runner->kept)
        return CAUCUS_NO_MEMORY;
    return caucus_channel_runner_reserve_slots(runner);
}

static const struct caucus_channel_kind plain = {
    .variant = &caucus_channel_plain,
    .keeps_receives = true,
    .has_node_links = true,
    .is_through = caucus_channel_runner_is_through,
};

static int prepare(struct caucus_channel_runner *runner) {
    int status = CAUCUS_OK;
    if (runner->setup.overlay.nodes) {
        status = caucus_node_map_part(&runner->nodes, runner->setup.overlay.nodes, 0,
                                      runner->setup.overlay.ranks);
        runner->setup.overlay.nodes = &runner->nodes;
    }
    if (!status)
        status = find_links(runner);
    if (!status)
        status = runner->user.keeps > 0
                     ? caucus_channel_failures_open(runner)
                     : caucus_channel_runner_begin_protocol(runner, &runner->setup);
    if (!status)
        status = reserve(runner);
    if (!status)
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
        caucus_channel_runner_receive_all(runner);
    if (!status)
        status = runner->status;
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
        runner->ranks = setup->overlay.ranks;
        runner->kind = &plain;
        runner->user = user;
        runner->control.receiving = MPI_REQUEST_NULL;
        runner->control.kept = MPI_MESSAGE_NULL;
        PMPI_Comm_rank(comm, &runner->rank);
        runner->position = runner->rank;
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
