/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank waits for others on a channel, and how long. */
#include "base/clock.h"
#include "base/status.h"
#include "run/channel/state.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"

#include <sched.h>

/* Whoever has sent anything lately is not the one that is waited for, nor waits he for ever. */
static bool is_too_long(const struct caucus_channel_runner *runner,
                        struct caucus_channel_wait *wait) {
    if (runner->engine->timeout <= 0 || wait->round % CAUCUS_ROUNDS_PER_CLOCK != 0)
        return false;
    double now = caucus_seconds();
    if (wait->begin == 0 || wait->arrived != runner->arrived) {
        wait->begin = now;
        wait->arrived = runner->arrived;
    }
    return now - wait->begin > runner->engine->timeout;
}

/* Rounds in vain before a rank may nap: until then others are likely to wait for what it forwards.
 */
enum { PATIENCE = 1000 };

static void rest(const struct caucus_channel_runner *runner, int64_t idle) {
    if (idle < PATIENCE)
        sched_yield();
    else
        caucus_waiting_pause(&runner->engine->waiting, idle);
}

/* Others may wait for a collective of ours before they come to this channel. */
bool caucus_channel_runner_pause(struct caucus_channel_runner *runner,
                                 struct caucus_channel_wait *wait) {
    if (wait->heard != runner->arrived)
        wait->idle = 0;
    wait->heard = runner->arrived;
    runner->waits++;
    caucus_channel_runner_unlock(runner);
    caucus_progress();
    rest(runner, wait->idle++);
    caucus_channel_runner_lock(runner);
    runner->waits--;
    wait->round++;
    return is_too_long(runner, wait);
}

enum { WORDS = 600 };

static void explain(const struct caucus_channel_runner *runner, char *text, int64_t size) {
    if (!caucus_channel_allreduce_explain(runner, text, size))
        runner->kind->variant->explain(runner->machine.setup, runner->machine.state, text, size);
}

static void give_up(struct caucus_channel_runner *runner) {
    char text[WORDS];
    explain(runner, text, sizeof text);
    caucus_channel_runner_good(runner, caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, %s",
                                                   runner->engine->timeout, text));
}

void caucus_channel_runner_wait(struct caucus_channel_runner *runner,
                                struct caucus_channel_wait *wait) {
    if (caucus_channel_runner_pause(runner, wait) && !runner->status)
        give_up(runner);
}

/* Who only listens awaits nothing. */
static bool awaits_others(struct caucus_channel_runner *runner) {
    runner->refused = runner->refused && !caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST,
                                                                      runner->refused_length);
    return runner->refused || runner->first || runner->bundle.casts || runner->asked ||
           runner->allreduce.stage;
}

/* A call that was wrong awaits nothing. */
void caucus_channel_runner_tried(struct caucus_channel_runner *runner, bool is_over,
                                 int64_t length) {
    runner->refused = !is_over;
    runner->refused_length = length;
    if (runner->refused)
        caucus_channel_runner_polled(runner);
}

/* In a callback this thread has the lock. */
void caucus_channel_runner_tell_waits(void *context, struct caucus_waits *waits, bool apart) {
    struct caucus_channel_runner *runner = context;
    bool threads = runner->engine->threads, inside = caucus_channel_runner_is_inside(runner);
    char text[WORDS];
    if ((apart && !threads) || (threads && !inside && pthread_mutex_trylock(&runner->lock) != 0))
        return;
    if (!runner->status && (runner->waits > 0 || awaits_others(runner))) {
        explain(runner, text, sizeof text);
        caucus_waits_line(waits, runner->comm,
                          "on a channel of %d ranks: %s. %lld casts of this rank so far, %d "
                          "messages on their way",
                          (int)runner->setup.overlay.ranks, text, (long long)runner->counts.casts,
                          runner->sends);
    }
    if (threads && !inside)
        pthread_mutex_unlock(&runner->lock);
}

void caucus_channel_runner_polled(struct caucus_channel_runner *runner) {
    if (runner->engine->timeout <= 0 || runner->status)
        return;
    if (runner->polled != runner->arrived || !awaits_others(runner)) {
        runner->polled = runner->arrived;
        runner->polls = (struct caucus_polls){.last = 0};
    } else if (caucus_polls_too_long(&runner->polls, caucus_seconds(), runner->engine->timeout)) {
        give_up(runner);
    }
}
