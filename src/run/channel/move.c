/* SPDX-License-Identifier: BSD-3-Clause */
/* What has come from MPI, and which sends are through. */
#include "base/status.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/channel/survivor.h"
#include "run/mpi_status.h"

#include <string.h>

void caucus_channel_runner_finish_sends(struct caucus_channel_runner *runner) {
    int count;
    if (!runner->sends)
        return;
    int code =
        PMPI_Testsome(runner->sends, runner->send, &count, runner->completed, MPI_STATUSES_IGNORE);
    if (!caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Testsome")))
        return;
    for (int i = 0; i < count; i++)
        caucus_channel_runner_let_go(runner->sent[runner->completed[i]]);
    int left = 0;
    for (int i = 0; i < runner->sends; i++)
        if (runner->send[i] != MPI_REQUEST_NULL) {
            runner->send[left] = runner->send[i];
            runner->sent[left++] = runner->sent[i];
        }
    runner->sends = left;
}

/* A slot that the protocol has freed may still be on its way out. */
void caucus_channel_runner_restart(struct caucus_channel_runner *runner, int32_t index) {
    struct caucus_channel_link *link = &runner->link[index];
    int64_t before = link->restarted;
    for (; link->restarted < link->freed; link->restarted++) {
        int64_t slot =
            (int64_t)index * runner->setup.credits + link->restarted % runner->setup.credits;
        if (runner->slot[slot].users)
            break;
        if (runner->survivor)
            caucus_channel_survivor_receive(runner, slot);
        else if (!link->shared)
            caucus_channel_runner_good(
                runner, caucus_mpi_status(PMPI_Start(&runner->receive[slot]), "MPI_Start"));
        runner->held_pieces--;
    }
    bool closed = runner->survivor && caucus_survival_is_closed(runner->state);
    if (link->restarted == before || closed)
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

/* The receives that are next: one look at all of them has MPI look at its network once. False:
 * there are none. */
static bool collect_next(struct caucus_channel_runner *runner) {
    int32_t credits = runner->setup.credits;
    bool any = false;
    for (int32_t i = 0; i < runner->setup.sources; i++) {
        const struct caucus_channel_link *link = &runner->link[i];
        /* One that is not started would seem to be complete. */
        runner->awaited[i] = !link->shared && link->arrived - link->restarted < credits
                                 ? runner->receive[(int64_t)i * credits + link->arrived % credits]
                                 : MPI_REQUEST_NULL;
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

static void receive_control(struct caucus_channel_runner *runner, const MPI_Status *status) {
    const unsigned char *bytes = runner->control.bytes;
    struct caucus_channel_message message;
    int length;
    memcpy(&message, bytes, sizeof message);
    PMPI_Get_count(status, MPI_BYTE, &length);
    if (message.kind == CAUCUS_CHANNEL_ANSWERED && length > (int)sizeof message)
        caucus_channel_runner_merge(runner, message.number[0], bytes + sizeof message);
    else if (message.kind == CAUCUS_CHANNEL_CONTRIBUTION)
        caucus_channel_outcome_hear(runner, status->MPI_SOURCE, message.number[0],
                                    bytes + sizeof message, length - (int)sizeof message);
    caucus_channel_runner_hear(runner, status->MPI_SOURCE, &message, sizeof message);
}

static void receive_controls(struct caucus_channel_runner *runner) {
    bool came = true;
    while (came && !runner->status) {
        MPI_Status from;
        int status = caucus_from_any_take(&runner->control, &came, &from);
        if (caucus_channel_runner_good(runner, status) && came)
            receive_control(runner, &from);
    }
}

static void receive_links(struct caucus_channel_runner *runner) {
    for (int count = 1; count > 0 && !runner->status && collect_next(runner);) {
        int code = PMPI_Testsome(runner->setup.sources, runner->awaited, &count, runner->came,
                                 runner->told);
        if (!caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Testsome")))
            return;
        for (int i = 0; i < count && !runner->status; i++)
            caucus_channel_runner_receive_data(runner, runner->came[i]);
    }
}

void caucus_channel_runner_move(struct caucus_channel_runner *runner) {
    if (runner->status)
        return; /* a caster that was told of it may have freed what it cast */
    if (runner->survivor) {
        caucus_channel_survivor_move(runner);
        return;
    }
    caucus_channel_runner_finish_sends(runner);
    for (int32_t i = 0; i < runner->setup.sources; i++)
        caucus_channel_runner_restart(runner, i);
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
