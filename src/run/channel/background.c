/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels that this rank makes no call on, while it waits for something else: what others wait for
 * passes on. Callbacks are left to calls on their own channel, so what they are to get stays in its
 * slots; what is received fills the inbox. */
#include "run/channel/state.h"

static bool hold(void *context) {
    struct caucus_channel_runner *runner = context;
    if (caucus_channel_runner_is_inside(runner))
        return false;
    if (runner->engine->threads && pthread_mutex_trylock(&runner->lock) != 0)
        return false;
    bool idle = runner->waits == 0;
    if (!idle)
        caucus_channel_runner_unlock(runner);
    return idle;
}

static void serve(void *context) {
    caucus_channel_runner_push(context, false);
}

static void let_go(void *context) {
    caucus_channel_runner_unlock(context);
}

/* A channel with a thread of its own needs nobody else. */
void caucus_channel_runner_begin_background(struct caucus_channel_runner *runner) {
    if (runner->has_thread)
        return;
    runner->service =
        (struct caucus_service){.hold = hold, .serve = serve, .let_go = let_go, .context = runner};
    runner->in_background = true;
    caucus_service_add(&runner->service);
    caucus_service_owe(1);
}

/* Nobody begins to serve any more, and who does has the lock until he has ended. */
void caucus_channel_runner_end_background(struct caucus_channel_runner *runner) {
    if (!runner->in_background)
        return;
    runner->in_background = false;
    caucus_service_owe(-1);
    caucus_service_remove(&runner->service);
    caucus_channel_runner_lock(runner);
    caucus_channel_runner_unlock(runner);
}
