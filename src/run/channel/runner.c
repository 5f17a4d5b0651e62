/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel's calls, on what the other files do. */
#include "run/channel/runner.h"

#include "base/status.h"
#include "run/channel/state.h"

#include <stdio.h>

/* Callbacks that this thread is in, the last first. */
struct frame {
    const struct caucus_channel_runner *runner;
    const struct frame *before;
};
static _Thread_local const struct frame *frames;

bool caucus_channel_runner_is_inside(const struct caucus_channel_runner *runner) {
    const struct frame *at = frames;
    while (at && at->runner != runner)
        at = at->before;
    return at != NULL;
}

bool caucus_channel_runner_good(struct caucus_channel_runner *runner, int status) {
    if (status && !runner->status) {
        runner->status = status;
        snprintf(runner->words, sizeof runner->words, "%s", caucus_error_text());
    }
    return status == CAUCUS_OK;
}

int caucus_channel_runner_tell(const struct caucus_channel_runner *runner) {
    return runner->status ? caucus_fail(runner->status, "%s", runner->words) : CAUCUS_OK;
}

bool caucus_channel_runner_has_failed(const struct caucus_channel_runner *runner) {
    return runner->status != CAUCUS_OK;
}

static void deliver_all(struct caucus_channel_runner *runner) {
    struct caucus_channel_taken taken;
    while (caucus_channel_runner_take(runner, &taken)) {
        const struct frame frame = {runner, frames};
        frames = &frame;
        runner->user.deliver(runner->user.context, &taken.delivered);
        frames = frame.before;
        caucus_channel_runner_drop(runner, &taken);
    }
}

void caucus_channel_runner_advance(struct caucus_channel_runner *runner) {
    caucus_channel_runner_move(runner);
    if (runner->user.deliver)
        deliver_all(runner);
    else
        caucus_channel_runner_keep(runner);
}

int caucus_channel_runner_poll(struct caucus_channel_runner *runner) {
    caucus_channel_runner_advance(runner);
    return caucus_channel_runner_tell(runner);
}

/* Nothing will come of waiting for room: nobody but the user can end it. */
static int check_room(const struct caucus_channel_runner *runner) {
    if (caucus_channel_rests(runner->state))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "this rank has said that it waits for quiet: before it casts it must "
                           "have received a message, or have been told that all is quiet");
    if (caucus_channel_runner_is_full(runner))
        return caucus_fail(CAUCUS_PENDING,
                           "nothing was cast: there is no room for it, and none in the inbox of "
                           "%lld bytes for what comes: receive something first",
                           (long long)runner->user.inbox);
    return CAUCUS_OK;
}

/* Whether a caster waits for room. */
static void stall(struct caucus_channel_runner *runner, bool waits, double *begin) {
    if (waits && *begin == 0) {
        *begin = caucus_channel_seconds();
        runner->counts.stalls++;
    } else if (!waits && *begin != 0) {
        runner->counts.stalled_seconds += caucus_channel_seconds() - *begin;
        *begin = 0;
    }
}

int caucus_channel_runner_cast(struct caucus_channel_runner *runner, const void *bytes,
                               int64_t length) {
    int64_t sequence = -1;
    int status = CAUCUS_OK;
    double begin = 0; /* of a stall */
    struct caucus_channel_wait wait = {.round = 0};
    for (int64_t round = 0; !status && !runner->status; round++) {
        if (sequence < 0)
            status = caucus_channel_runner_begin_cast(runner, bytes, length, false, &sequence);
        stall(runner, status == CAUCUS_OK && sequence < 0, &begin);
        if (sequence >= 0 && !caucus_channel_runner_owes(runner, sequence))
            break;
        if (!status && sequence < 0 && round)
            status = check_room(runner);
        if (status)
            break;
        caucus_channel_runner_advance(runner);
        if (sequence >= 0 && caucus_channel_runner_is_full(runner))
            caucus_channel_runner_pay(runner, sequence);
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    return status ? status : caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_try_cast(struct caucus_channel_runner *runner, const void *bytes,
                                   int64_t length, bool *accepted) {
    int64_t sequence;
    if (!caucus_channel_runner_is_inside(runner))
        caucus_channel_runner_advance(runner);
    int status = caucus_channel_runner_begin_cast(runner, bytes, length, true, &sequence);
    *accepted = sequence >= 0;
    runner->counts.refusals += !status && !*accepted;
    return status ? status : caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_try_receive(struct caucus_channel_runner *runner,
                                      struct caucus_channel_delivered *delivered, bool *received) {
    caucus_channel_runner_drop(runner, &runner->held);
    caucus_channel_runner_move(runner);
    *received = caucus_channel_runner_unkeep(runner, &runner->held) ||
                caucus_channel_runner_take(runner, &runner->held);
    if (*received)
        *delivered = runner->held.delivered;
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_receive(struct caucus_channel_runner *runner,
                                  struct caucus_channel_delivered *delivered) {
    bool received = false;
    int status = CAUCUS_OK;
    struct caucus_channel_wait wait = {.round = 0};
    while (!status && !received) {
        status = caucus_channel_runner_try_receive(runner, delivered, &received);
        if (!status && !received && caucus_channel_runner_pause(runner, &wait))
            return caucus_fail(CAUCUS_TIMED_OUT, "no message came for %g seconds",
                               runner->engine->timeout);
    }
    return status;
}

struct caucus_channel_counts caucus_channel_runner_counts(struct caucus_channel_runner *runner) {
    return runner->counts;
}

static bool awaits_receive(const struct caucus_channel_runner *runner) {
    return runner->inbox || caucus_channel_runner_is_full(runner);
}

/* Who has not received all does not rest: he may answer. */
int caucus_channel_runner_try_settle(struct caucus_channel_runner *runner, int64_t call,
                                     bool *done) {
    int64_t bit = (int64_t)1 << call;
    if (!(runner->asked & bit))
        runner->decided &= ~bit;
    runner->asked |= bit;
    if (!runner->status && !awaits_receive(runner) && caucus_channel_runner_hears(runner, call))
        caucus_channel_runner_call(runner, call, NULL);
    caucus_channel_runner_advance(runner);
    *done = !runner->status && (runner->decided & bit) && !awaits_receive(runner);
    if (*done)
        runner->asked &= ~bit;
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_settle(struct caucus_channel_runner *runner, int64_t call) {
    bool done = false;
    int status = CAUCUS_OK;
    struct caucus_channel_wait wait = {.round = 0};
    while (!status && !done) {
        status = caucus_channel_runner_try_settle(runner, call, &done);
        if (!status && awaits_receive(runner))
            return caucus_fail(CAUCUS_PENDING, "a message waits to be received: receive it, then "
                                               "call this again");
        if (!status && !done)
            caucus_channel_runner_wait(runner, &wait);
    }
    return status;
}
