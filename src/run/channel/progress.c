/* SPDX-License-Identifier: BSD-3-Clause */
/* What has come from MPI, and which sends are through. */
#include "base/status.h"
#include "run/channel/failures.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"

#include <string.h>

/* Of a send to the dead nothing is under way any more; not all MPIs have freed it by then. */
static void end_failed(struct caucus_channel_runner *runner) {
    for (int i = 0; i < runner->sends; i++) {
        int done = 0;
        if (runner->send[i] == MPI_REQUEST_NULL)
            continue;
        int code = PMPI_Test(&runner->send[i], &done, MPI_STATUS_IGNORE);
        if (caucus_failure_is(code) && runner->send[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&runner->send[i]);
    }
}

void caucus_channel_runner_finish_sends(struct caucus_channel_runner *runner) {
    int count, left = 0;
    if (!runner->sends)
        return;
    int code =
        PMPI_Testsome(runner->sends, runner->send, &count, runner->completed, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS && runner->kind->hears_of_deaths)
        end_failed(runner);
    else if (!caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Testsome")))
        return;
    for (int i = 0; i < runner->sends; i++)
        if (runner->send[i] == MPI_REQUEST_NULL) {
            caucus_channel_runner_let_go(runner->sent[i]);
        } else {
            runner->send[left] = runner->send[i];
            runner->sent[left++] = runner->sent[i];
        }
    runner->sends = left;
}

/* Starts the receive of a slot. */
static void receive_slot(struct caucus_channel_runner *runner, int64_t slot) {
    const struct caucus_channel_link *link = &runner->link[slot / runner->setup.credits];
    int size = (int)(sizeof(struct caucus_channel_message) + (size_t)runner->setup.segment);
    int tag = CAUCUS_CHANNEL_TAG_DATA + (runner->view_bits >> CAUCUS_SURVIVAL_VIEW_SHIFT);
    MPI_Request *request = &runner->receive[slot];
    int code = MPI_SUCCESS;
    if (link->shared || caucus_channel_failures_knows_dead(runner, link->rank))
        return;
    if (!runner->kind->keeps_receives)
        code = PMPI_Irecv(runner->slot[slot].bytes, size, MPI_BYTE, link->rank, tag, runner->comm,
                          request);
    else if (*request == MPI_REQUEST_NULL)
        code = PMPI_Recv_init(runner->slot[slot].bytes, size, MPI_BYTE, link->rank, tag,
                              runner->comm, request);
    if (code == MPI_SUCCESS && runner->kind->keeps_receives)
        code = PMPI_Start(request);
    if (caucus_channel_failures_forgives(runner, code))
        *request = MPI_REQUEST_NULL;
    else
        caucus_channel_runner_good(runner, caucus_mpi_status(code, "a receive of a channel"));
}

void caucus_channel_runner_receive_all(struct caucus_channel_runner *runner) {
    int64_t slots = (int64_t)runner->setup.sources * runner->setup.credits;
    for (int64_t i = 0; i < slots && !runner->status; i++)
        receive_slot(runner, i);
}

/* A slot that the protocol has freed may still be on its way out. */
static void restart(struct caucus_channel_runner *runner, int32_t index) {
    struct caucus_channel_link *link = &runner->link[index];
    int64_t before = link->restarted;
    for (; link->restarted < link->freed; link->restarted++) {
        int64_t slot =
            (int64_t)index * runner->setup.credits + link->restarted % runner->setup.credits;
        if (runner->slot[slot].users)
            break;
        receive_slot(runner, slot);
        runner->held_pieces--;
    }
    if (link->restarted == before || caucus_channel_failures_is_closed(runner))
        return;
    if (link->shared) {
        caucus_channel_node_links_tell(link);
        return;
    }
    struct caucus_channel_message message = {.kind = CAUCUS_CHANNEL_CREDIT | runner->view_bits};
    message.number[0] = link->restarted;
    caucus_channel_runner_control(runner, link->rank, &message, NULL, 0);
}

void caucus_channel_runner_hear(struct caucus_channel_runner *runner, int32_t peer,
                                const void *bytes, int64_t length) {
    struct caucus_event event = {
        .kind = CAUCUS_EVENT_MESSAGE, .peer = peer, .bytes = bytes, .length = length};
    caucus_channel_runner_step(runner, &event);
}

/* The receive of a link that is next; NULL: its slot is in use, and none is started. */
static MPI_Request *next_receive(struct caucus_channel_runner *runner, int32_t index) {
    int32_t credits = runner->setup.credits;
    const struct caucus_channel_link *link = &runner->link[index];
    return !link->shared && link->arrived - link->restarted < credits
               ? &runner->receive[(int64_t)index * credits + link->arrived % credits]
               : NULL;
}

/* Those of all links: one look at them has MPI look at its network once. False: there are none. */
static bool collect_next(struct caucus_channel_runner *runner) {
    bool any = false;
    for (int32_t i = 0; i < runner->setup.sources; i++) {
        const MPI_Request *request = next_receive(runner, i);
        runner->awaited[i] = request ? *request : MPI_REQUEST_NULL;
        any |= runner->awaited[i] != MPI_REQUEST_NULL;
    }
    return any;
}

void caucus_channel_runner_receive_data(struct caucus_channel_runner *runner, int32_t index) {
    struct caucus_channel_link *link = &runner->link[index];
    struct caucus_channel_message message;
    int64_t slot = (int64_t)index * runner->setup.credits + link->arrived++ % runner->setup.credits;
    caucus_channel_raise_to(&runner->counts.peak_held, ++runner->held_pieces);
    memcpy(&message, runner->slot[slot].bytes, sizeof message);
    caucus_channel_runner_hold(runner, &message, runner->slot[slot].bytes);
    message.kind |= runner->view_bits;
    caucus_channel_runner_hear(runner, link->rank, &message, sizeof message);
}

static void receive_control(struct caucus_channel_runner *runner,
                            const struct caucus_mailbox_message *came) {
    const unsigned char *rest =
        (const unsigned char *)came->bytes + sizeof(struct caucus_channel_message);
    struct caucus_channel_message message;
    int64_t length = came->length - (int64_t)sizeof message;
    memcpy(&message, came->bytes, sizeof message);
    int32_t kind = caucus_survival_kind(&message);
    if (kind == CAUCUS_CHANNEL_ANSWERED && length > 0)
        caucus_channel_runner_merge(runner, message.number[0], rest);
    if (kind == CAUCUS_CHANNEL_CONTRIBUTION) { /* of which the protocol knows nothing */
        runner->arrived++;
        caucus_channel_allreduce_hear(runner, came->source, message.number[0], rest, (int)length);
        return;
    }
    caucus_channel_runner_hear(runner, came->source, came->bytes, came->length);
    if (kind == CAUCUS_SURVIVAL_GIVE)
        caucus_channel_failures_get(runner, rest, length);
}

static void receive_controls(struct caucus_channel_runner *runner) {
    struct caucus_mailbox_message came;
    bool taken = true;
    while (taken && !runner->status) {
        int status = caucus_mailbox_take(&runner->control, &taken, &came);
        if (caucus_channel_runner_good(runner, status) && taken)
            receive_control(runner, &came);
    }
    if (runner->control.deaths)
        caucus_channel_failures_learn(runner);
}

/* Some are complete, or have failed and are freed. */
static void put_back(struct caucus_channel_runner *runner, int code, int count) {
    for (int i = 0; i < count && code != MPI_SUCCESS; i++)
        if (runner->told[i].MPI_ERROR != MPI_SUCCESS &&
            runner->awaited[runner->came[i]] != MPI_REQUEST_NULL)
            PMPI_Request_free(&runner->awaited[runner->came[i]]);
    for (int32_t i = 0; i < runner->setup.sources; i++) {
        MPI_Request *request = next_receive(runner, i);
        if (request)
            *request = runner->awaited[i];
    }
}

/* Those from the dead fail; the mailbox tells who they are. */
static void receive_links(struct caucus_channel_runner *runner) {
    for (int count = 1; count > 0 && !runner->status && collect_next(runner);) {
        int code = PMPI_Testsome(runner->setup.sources, runner->awaited, &count, runner->came,
                                 runner->told);
        count = count == MPI_UNDEFINED ? 0 : count;
        if (!caucus_channel_failures_forgives_some(runner, code, count) &&
            !caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Testsome")))
            return;
        if (!runner->kind->keeps_receives)
            put_back(runner, code, count);
        for (int i = 0; i < count && !runner->status; i++)
            if (code == MPI_SUCCESS || runner->told[i].MPI_ERROR == MPI_SUCCESS)
                caucus_channel_runner_receive_data(runner, runner->came[i]);
    }
}

void caucus_channel_runner_progress(struct caucus_channel_runner *runner) {
    if (runner->status)
        return; /* a caster that was told of it may have freed what it cast */
    caucus_channel_runner_finish_sends(runner);
    for (int32_t i = 0; i < runner->setup.sources; i++)
        restart(runner, i);
    while (caucus_channel_node_links_move(runner) && !runner->status)
        ;
    receive_controls(runner);
    receive_links(runner);
}

void caucus_channel_runner_confirm_credits(struct caucus_channel_runner *runner) {
    struct caucus_channel_message nothing = {0}; /* of no kind: the protocol drops it */
    for (int32_t i = 0; i < runner->setup.sources; i++)
        if (runner->link[i].restarted > 0 && !runner->link[i].shared)
            caucus_channel_runner_control(runner, runner->link[i].rank, &nothing, NULL, 0);
}
