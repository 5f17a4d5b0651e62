/* SPDX-License-Identifier: BSD-3-Clause */
/* Receiving, and waiting for quiet, which those who receive have their part in. */
#include "base/status.h"
#include "run/channel/state.h"

#include <string.h>

/* Out of its slot: while that is held its neighbour gets no credit for it, and the user may keep
 * what he has while he waits for something else. */
static void copy_held(struct caucus_channel_runner *runner) {
    struct caucus_channel_taken *held = &runner->held;
    if (!held->piece || held->piece->own)
        return;
    memcpy(runner->held_bytes, held->delivered.bytes, (size_t)held->delivered.length);
    held->delivered.bytes = runner->held_bytes;
    caucus_channel_runner_let_go(held->piece);
    held->piece = NULL;
}

static bool try_receive(struct caucus_channel_runner *runner,
                        struct caucus_channel_delivered *delivered) {
    runner->receiver = pthread_self();
    runner->has_receiver = true;
    caucus_channel_runner_drop(runner, &runner->held);
    caucus_channel_runner_progress(runner);
    caucus_channel_allreduce_pass(runner);
    bool any = caucus_channel_runner_take_from_inbox(runner, &runner->held) ||
               caucus_channel_runner_take(runner, &runner->held);
    caucus_channel_runner_pass_bundle(runner);
    if (!any)
        return false;
    copy_held(runner);
    *delivered = runner->held.delivered;
    caucus_channel_allreduce_received(runner, delivered);
    return true;
}

int caucus_channel_runner_reply(struct caucus_channel_runner *runner, int32_t origin,
                                const void *answer) {
    caucus_channel_runner_lock(runner);
    int status = caucus_channel_runner_tell(runner);
    if (!status)
        status = caucus_channel_allreduce_reply(runner, origin, answer)
                     ? caucus_channel_runner_tell(runner)
                     : caucus_fail(CAUCUS_BAD_ARGUMENT,
                                   "rank %d has no question that this rank has received and not "
                                   "answered",
                                   (int)origin);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_try_receive(struct caucus_channel_runner *runner,
                                      struct caucus_channel_delivered *delivered, bool *received) {
    caucus_channel_runner_lock(runner);
    *received = try_receive(runner, delivered);
    if (!*received)
        caucus_channel_runner_polled(runner);
    int status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_receive(struct caucus_channel_runner *runner,
                                  struct caucus_channel_delivered *delivered) {
    int status = CAUCUS_OK;
    struct caucus_channel_wait wait = {.round = 0};
    caucus_channel_runner_lock(runner);
    while (!status && !try_receive(runner, delivered)) {
        status = caucus_channel_runner_tell(runner);
        if (!status && caucus_channel_runner_pause(runner, &wait))
            status = caucus_fail(CAUCUS_TIMED_OUT, "no message came for %g seconds",
                                 runner->engine->timeout);
    }
    caucus_channel_runner_unlock(runner);
    return status;
}

static bool awaits_receive(const struct caucus_channel_runner *runner) {
    return runner->inbox || caucus_channel_runner_is_full(runner);
}

bool caucus_channel_runner_is_mine_to_receive(const struct caucus_channel_runner *runner) {
    return !runner->has_receiver || pthread_equal(runner->receiver, pthread_self());
}

bool caucus_channel_runner_must_receive(const struct caucus_channel_runner *runner) {
    return caucus_channel_runner_is_full(runner) &&
           caucus_channel_runner_is_mine_to_receive(runner);
}

bool caucus_channel_runner_may_receive(const struct caucus_channel_runner *runner) {
    return awaits_receive(runner) && caucus_channel_runner_is_mine_to_receive(runner);
}

/* Who has not received all does not rest: he may answer. Once quiet is decided, what comes belongs
 * to what others do afterwards. */
static bool try_settle(struct caucus_channel_runner *runner, int64_t call) {
    int64_t bit = (int64_t)1 << call;
    if (!(runner->asked & bit))
        runner->decided &= ~bit;
    runner->asked |= bit;
    if (!runner->status && !(runner->decided & bit) && !awaits_receive(runner) && !runner->owed &&
        caucus_channel_runner_hears(runner, call, 0)) {
        runner->closing |= call == CAUCUS_CHANNEL_CLOSE;
        if (!runner->bundle.casts && !runner->allreduce.stage) /* else they leave first */
            caucus_channel_runner_call(runner, call, NULL);
    }
    caucus_channel_runner_advance(runner);
    bool done = !runner->status && (runner->decided & bit) &&
                (call == CAUCUS_CHANNEL_QUIESCE || !awaits_receive(runner));
    if (done)
        runner->asked &= ~bit;
    return done;
}

int caucus_channel_runner_try_settle(struct caucus_channel_runner *runner, int64_t call,
                                     bool *done) {
    caucus_channel_runner_lock(runner);
    *done = try_settle(runner, call);
    if (!*done)
        caucus_channel_runner_polled(runner);
    int status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_settle(struct caucus_channel_runner *runner, int64_t call) {
    int status = CAUCUS_OK;
    struct caucus_channel_wait wait = {.round = 0};
    caucus_channel_runner_lock(runner);
    runner->settling++;
    while (!status && !try_settle(runner, call)) {
        if (caucus_channel_runner_may_receive(runner))
            status = caucus_fail(CAUCUS_PENDING, "a message waits to be received: receive it, "
                                                 "then call this again");
        else if (runner->owed && caucus_channel_runner_is_mine_to_receive(runner))
            status = caucus_fail(CAUCUS_PENDING, "questions that were received have no answer yet: "
                                                 "answer them, then call this again");
        else
            caucus_channel_runner_wait(runner, &wait);
        if (!status)
            status = caucus_channel_runner_tell(runner);
    }
    runner->settling--;
    caucus_channel_runner_unlock(runner);
    return status;
}
