/* SPDX-License-Identifier: BSD-3-Clause */
/* What all calls of a channel begin and end with. */
#include "run/channel/runner.h"

#include "base/status.h"
#include "run/channel/node_links.h"
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

bool caucus_channel_runner_has_failed(struct caucus_channel_runner *runner) {
    caucus_channel_runner_lock(runner);
    bool failed = runner->status != CAUCUS_OK;
    caucus_channel_runner_unlock(runner);
    return failed;
}

static bool deliver_next(struct caucus_channel_runner *runner) {
    struct caucus_channel_taken taken;
    caucus_channel_runner_begin_handing(runner);
    bool any = caucus_channel_runner_take(runner, &taken);
    if (any) {
        const struct frame frame = {runner, frames};
        frames = &frame;
        if (taken.delivered.asks)
            caucus_channel_runner_answer(runner, &taken);
        else
            runner->user.deliver(runner->user.context, &taken.delivered);
        frames = frame.before;
        caucus_channel_runner_drop(runner, &taken);
    }
    caucus_channel_runner_end_handing(runner);
    return any;
}

static void deliver_all(struct caucus_channel_runner *runner) {
    while (deliver_next(runner))
        continue;
}

static void hand_out(struct caucus_channel_runner *runner, bool calls_back) {
    caucus_channel_allreduce_pass(runner);
    if (!runner->user.deliver)
        caucus_channel_runner_fill_inbox(runner);
    else if (calls_back)
        deliver_all(runner);
}

/* What came by memory does not wait for a look at MPI. */
void caucus_channel_runner_push(struct caucus_channel_runner *runner, bool calls_back) {
    if (!runner->status && caucus_channel_node_links_move(runner))
        hand_out(runner, calls_back);
    caucus_channel_runner_progress(runner);
    hand_out(runner, calls_back);
    caucus_channel_runner_pass_bundle(runner);
}

void caucus_channel_runner_advance(struct caucus_channel_runner *runner) {
    caucus_channel_runner_push(runner, true);
}

int caucus_channel_runner_poll(struct caucus_channel_runner *runner) {
    caucus_waits_look();
    caucus_channel_runner_lock(runner);
    caucus_channel_runner_advance(runner);
    caucus_channel_runner_polled(runner);
    int status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}

struct caucus_channel_counts caucus_channel_runner_counts(struct caucus_channel_runner *runner) {
    caucus_channel_runner_lock(runner);
    struct caucus_channel_counts counts = runner->counts;
    caucus_channel_runner_unlock(runner);
    return counts;
}
