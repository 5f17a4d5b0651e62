/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads on one channel, and one that does nothing but move it on. */
#include "base/status.h"
#include "run/channel/state.h"
#include "run/support/last.h"

#include <sched.h>
#include <time.h>

enum { YIELDS = 200 };

static const struct timespec nap = {.tv_nsec = 50000};

void caucus_channel_runner_lock(struct caucus_channel_runner *runner) {
    if (runner->engine->threads && !caucus_channel_runner_is_inside(runner))
        pthread_mutex_lock(&runner->lock);
}

void caucus_channel_runner_unlock(struct caucus_channel_runner *runner) {
    if (runner->engine->threads && !caucus_channel_runner_is_inside(runner))
        pthread_mutex_unlock(&runner->lock);
}

void caucus_channel_runner_go(struct caucus_channel_runner *runner) {
    runner->go = true;
    caucus_channel_runner_begin_background(runner);
}

/* Who has just let others have the lock must not take it at once again. */
static void *move_on(void *given) {
    struct caucus_channel_runner *runner = given;
    while (!runner->go && !runner->stop)
        nanosleep(&nap, NULL);
    for (int idle = 0; !runner->stop; idle++) {
        caucus_channel_runner_lock(runner);
        int64_t before = runner->arrived;
        caucus_channel_runner_advance(runner);
        if (runner->arrived != before)
            idle = 0;
        caucus_channel_runner_unlock(runner);
        if (idle < YIELDS)
            sched_yield();
        else
            nanosleep(&nap, NULL);
    }
    return NULL;
}

/* Of a channel that was left open. */
static void stop_at_finalize(MPI_Comm comm, void *runner) {
    (void)comm;
    caucus_channel_runner_stop_thread(runner);
}

int caucus_channel_runner_start_thread(struct caucus_channel_runner *runner) {
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        return caucus_fail(CAUCUS_UNSUPPORTED, "a thread that moves the channel on needs an MPI "
                                               "whose MPI_Query_thread says MPI_THREAD_MULTIPLE");
    int status = caucus_last_keep(MPI_COMM_WORLD, runner, stop_at_finalize);
    if (status)
        return status;
    runner->has_thread = pthread_create(&runner->thread, NULL, move_on, runner) == 0;
    if (runner->has_thread)
        return CAUCUS_OK;
    caucus_last_forget(runner);
    return caucus_fail(CAUCUS_NO_MEMORY, "no thread could be started");
}

void caucus_channel_runner_rest(struct caucus_channel_runner *runner) {
    if (!runner->has_thread)
        return;
    caucus_channel_runner_stop_thread(runner);
    caucus_channel_runner_begin_background(runner);
}

void caucus_channel_runner_stop_thread(struct caucus_channel_runner *runner) {
    if (!runner->has_thread)
        return;
    runner->stop = true;
    pthread_join(runner->thread, NULL);
    runner->has_thread = false;
    caucus_last_forget(runner);
}
