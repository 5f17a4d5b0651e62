/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel's calls, on what carry.c and move.c do. */
#include "run/channel/runner.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"
#include "run/execution.h"
#include "run/mpi_status.h"
#include "run/waiting.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A message of one cast or more; copy is NULL or, with success, the runner's. */
static int enter(struct caucus_channel_runner *runner, const void *bytes, unsigned char *copy,
                 int64_t length, int64_t casts) {
    struct caucus_channel_record *record = caucus_array(1, sizeof *record);
    if (!record)
        return CAUCUS_NO_MEMORY;
    record->copy = copy;
    record->bytes = bytes;
    record->sequence = runner->casts++;
    record->total = length;
    record->casts = casts;
    *(runner->last ? &runner->last->next : &runner->first) = record;
    runner->last = record;
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_CAST, &length);
    if (runner->setup.overlay.ranks == 1 && !runner->setup.total_order) { /* nobody hears it */
        free(record->copy);
        free(record);
        runner->first = runner->last = NULL;
    }
    return runner->status;
}

/* In a total order messages wait for their turn anyway: company takes nothing from casts behind the
 * two that do. */
static bool has_company(const struct caucus_channel_runner *runner) {
    return runner->setup.total_order && runner->casts - runner->own_taken >= 2;
}

/* Casts what waits, if there is room. */
static int enter_bundle(struct caucus_channel_runner *runner) {
    unsigned char *bytes;
    int64_t casts;
    if (runner->status || !runner->bundle.casts ||
        !caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST))
        return runner->status;
    int64_t length = caucus_channel_bundle_close(runner, &bytes, &casts);
    int status = bytes ? enter(runner, bytes, bytes, length, casts) : CAUCUS_NO_MEMORY;
    if (status && !runner->status) { /* it was not entered, and is lost */
        free(bytes);
        runner->status = status;
    }
    return status;
}

static int enter_one(struct caucus_channel_runner *runner, const void *bytes, int64_t length,
                     bool copies) {
    unsigned char *copy = copies ? caucus_array_copy(bytes, length, 1) : NULL;
    if (copies && !copy)
        return CAUCUS_NO_MEMORY;
    int status = enter(runner, copies ? copy : bytes, copy, length, 1);
    if (status && !runner->status)
        free(copy);
    return status;
}

int caucus_channel_runner_cast(struct caucus_channel_runner *runner, const void *bytes,
                               int64_t length, bool copies, bool *accepted) {
    bool waits = has_company(runner) && caucus_channel_bundle_fits(runner, length);
    int status = waits ? runner->status : enter_bundle(runner);
    *accepted = false;
    if (status || runner->closing)
        return status;
    if (!waits && !runner->bundle.casts &&
        caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST)) {
        *accepted = true;
        return enter_one(runner, bytes, length, copies);
    }
    *accepted = caucus_channel_bundle_fits(runner, length);
    return *accepted ? caucus_channel_bundle_add(runner, bytes, length) : CAUCUS_OK;
}

bool caucus_channel_runner_owes(const struct caucus_channel_runner *runner) {
    for (const struct caucus_channel_record *at = runner->first; at; at = at->next)
        if (!at->copy)
            return true;
    return false;
}

bool caucus_channel_runner_is_inside(const struct caucus_channel_runner *runner) {
    return runner->inside;
}

/* Rounds in vain before a rank may nap: until then others are likely to wait for what it forwards.
 */
enum { PATIENCE = 1000 };

/* Others may wait for a collective of ours before they come to this channel. */
void caucus_channel_runner_pause(struct caucus_channel_runner *runner, int64_t round) {
    caucus_progress_all();
    if (runner->moved || round < runner->moved_round)
        runner->moved_round = round;
    runner->moved = false;
    if (round - runner->moved_round < PATIENCE)
        sched_yield();
    else
        caucus_waiting_pause(runner->engine, round - runner->moved_round);
}

static void deliver_casts(struct caucus_channel_runner *runner,
                          const struct caucus_channel_delivered *message, int64_t casts) {
    struct caucus_channel_bundle_place place = {0};
    struct caucus_channel_delivered cast;
    while (caucus_channel_bundle_next(message, casts, &place, &cast))
        runner->user.deliver(runner->user.context, &cast);
}

/* The slot stays as it is until the callback returns, though the protocol has freed it by then, so
 * that the callback may cast. */
static void deliver(struct caucus_channel_runner *runner,
                    const struct caucus_channel_message *message) {
    struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, message);
    struct caucus_channel_message travelled;
    struct caucus_channel_delivered delivered = {
        .origin = message->origin, .offset = message->offset, .total = message->total};
    unsigned char *assembled = NULL;
    delivered.length = caucus_channel_piece(&runner->setup, message);
    if (caucus_channel_assembles(&runner->setup, message)) {
        caucus_channel_runner_store(runner, message);
        assembled = runner->assembly;
        runner->assembly = NULL;
        delivered.offset = 0;
        delivered.length = message->total;
    }
    if (!piece || runner->status) {
        free(assembled);
        return;
    }
    delivered.bytes = assembled ? assembled : piece->bytes + sizeof *message;
    piece->users++;
    memcpy(&travelled, piece->bytes, sizeof travelled);
    runner->own_taken +=
        message->origin == runner->rank && caucus_channel_is_last(&runner->setup, message);
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_TAKE, NULL);
    runner->inside = true;
    if (travelled.slot > 1)
        deliver_casts(runner, &delivered, travelled.slot);
    else
        runner->user.deliver(runner->user.context, &delivered);
    runner->inside = false;
    caucus_channel_runner_let_go(piece);
    free(assembled);
}

int caucus_channel_runner_poll(struct caucus_channel_runner *runner) {
    struct caucus_channel_message message;
    caucus_channel_runner_receive(runner);
    while (!runner->status && caucus_channel_peek(&runner->setup, runner->state, &message))
        deliver(runner, &message);
    return has_company(runner) ? runner->status : enter_bundle(runner);
}

int caucus_channel_runner_settle(struct caucus_channel_runner *runner, int64_t call) {
    runner->decided &= ~((int64_t)1 << call);
    runner->closing = call == CAUCUS_CHANNEL_CLOSE;
    for (int64_t round = 0; !runner->status && !(runner->decided >> call & 1); round++) {
        if (!runner->bundle.casts && caucus_channel_runner_hears(runner, call))
            caucus_channel_runner_call(runner, call, NULL);
        caucus_channel_runner_poll(runner);
        if (!(runner->decided >> call & 1))
            caucus_channel_runner_pause(runner, round);
    }
    return runner->status;
}
