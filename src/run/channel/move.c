/* SPDX-License-Identifier: BSD-3-Clause */
/* What has come from MPI, and which sends are through. */
#include "base/status.h"
#include "run/channel/state.h"
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
static void restart(struct caucus_channel_runner *runner, int32_t index) {
    struct caucus_channel_link *link = &runner->link[index];
    int64_t before = link->restarted;
    for (; link->restarted < link->freed; link->restarted++) {
        int64_t slot =
            (int64_t)index * runner->setup.credits + link->restarted % runner->setup.credits;
        if (runner->slot[slot].users)
            break;
        caucus_channel_runner_good(
            runner, caucus_mpi_status(PMPI_Start(&runner->receive[slot]), "MPI_Start"));
        runner->held_pieces--;
    }
    if (link->restarted == before)
        return;
    struct caucus_channel_message message = {.kind = CAUCUS_CHANNEL_CREDIT};
    message.number[0] = link->restarted;
    caucus_channel_runner_control(runner, link->rank, &message, NULL, 0);
}

static bool has_come(struct caucus_channel_runner *runner, MPI_Request *request,
                     MPI_Status *status) {
    int flag;
    int code = PMPI_Test(request, &flag, status);
    return caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Test")) && flag;
}

static void hear(struct caucus_channel_runner *runner, int32_t peer,
                 const struct caucus_channel_message *message) {
    struct caucus_event event = {
        .kind = CAUCUS_EVENT_MESSAGE, .peer = peer, .bytes = message, .length = sizeof *message};
    caucus_channel_runner_step(runner, &event);
}

static void receive_data(struct caucus_channel_runner *runner, int32_t index) {
    struct caucus_channel_link *link = &runner->link[index];
    struct caucus_channel_message message;
    MPI_Status status;
    for (;;) {
        int64_t slot =
            (int64_t)index * runner->setup.credits + link->arrived % runner->setup.credits;
        /* One that is not started would seem to be complete. */
        if (link->arrived - link->restarted >= runner->setup.credits ||
            !has_come(runner, &runner->receive[slot], &status))
            return;
        link->arrived++;
        caucus_channel_raise_to(&runner->counts.peak_held, ++runner->held_pieces);
        memcpy(&message, runner->slot[slot].bytes, sizeof message);
        hear(runner, link->rank, &message);
    }
}

/* In the order of the receives, which is that of the messages of each sender. */
static void receive_controls(struct caucus_channel_runner *runner) {
    while (!runner->status) {
        int64_t next = runner->controls % CAUCUS_CHANNEL_CONTROLS;
        MPI_Status status;
        if (!has_come(runner, &runner->control_receive[next], &status))
            return;
        const unsigned char *bytes = runner->control + next * runner->control_bytes;
        struct caucus_channel_message message;
        int length;
        memcpy(&message, bytes, sizeof message);
        PMPI_Get_count(&status, MPI_BYTE, &length);
        if (message.kind == CAUCUS_CHANNEL_ANSWERED && length > (int)sizeof message)
            caucus_channel_runner_merge(runner, message.number[0], bytes + sizeof message);
        runner->controls++;
        int code = PMPI_Start(&runner->control_receive[next]);
        caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Start"));
        hear(runner, status.MPI_SOURCE, &message);
    }
}

void caucus_channel_runner_move(struct caucus_channel_runner *runner) {
    if (runner->status)
        return; /* a caster that was told of it may have freed what it cast */
    caucus_channel_runner_finish_sends(runner);
    receive_controls(runner);
    for (int32_t i = 0; i < runner->setup.sources && !runner->status; i++) {
        restart(runner, i);
        receive_data(runner, i);
    }
}
