/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting, testing and waiting: whoever comes moves all runs on that are active in this process.
 */
#include "run/execution/state.h"

#include "base/clock.h"
#include "base/status.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/waits.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_PER_LOOK = 8 }; /* at calls that have not begun */

static void move_all(void);

/* All that are active in this process. */
static struct caucus_progress_work active = {.stage = CAUCUS_PROGRESS_ACTIVE, .move = move_all};

/* An atomic addition costs as much as a small run; where one thread at a time calls MPI, none is
 * needed. */
static void count_active(struct caucus_engine *engine, int change) {
    if (!atomic_load_explicit(&active.is_registered, memory_order_acquire))
        caucus_progress_register(&active);
    engine->active_count += change;
    if (engine->threads)
        active.left += change;
    else
        atomic_store_explicit(&active.left, caucus_progress_left(&active) + change,
                              memory_order_relaxed);
}

static void link_active(struct caucus_execution *execution) {
    struct caucus_engine *engine = execution->engine;
    execution->next = NULL;
    execution->previous = engine->active_last;
    if (engine->active_last)
        engine->active_last->next = execution;
    else
        engine->active = execution;
    engine->active_last = execution;
    count_active(engine, 1);
}

static void unlink_active(struct caucus_execution *execution) {
    struct caucus_engine *engine = execution->engine;
    if (execution->previous)
        execution->previous->next = execution->next;
    else
        engine->active = execution->next;
    if (execution->next)
        execution->next->previous = execution->previous;
    else
        engine->active_last = execution->previous;
    count_active(engine, -1);
}

/* Its run is over; the next one in its arena begins. */
static void complete(struct caucus_execution *execution) {
    struct caucus_arena *arena = execution->arena;
    if (arena->done) {
        int32_t local = caucus_engine_local(execution->engine);
        atomic_store_explicit(&arena->done[local * (CAUCUS_LINE_BYTES / 8)], execution->run,
                              memory_order_release);
    }
    if (execution->schedule->synchronising && arena->known_done < execution->run - 1)
        arena->known_done = execution->run - 1;
    arena->current = execution->follower;
    execution->follower = NULL;
    if (arena->current)
        caucus_execution_begin(arena->current);
    atomic_store_explicit(&execution->state, CAUCUS_EXECUTION_IDLE, memory_order_release);
}

/* For its owner to be told; without memory, the status alone. */
static void keep_failure(struct caucus_execution *execution, int status) {
    execution->failure = status;
    free(execution->failure_text);
    execution->failure_text = strdup(caucus_error_text());
}

/* Ends a run that failed, and those that queue behind it: nobody knows what the other ranks still
 * do in this arena. */
static void fail_runs(struct caucus_execution *execution, int status) {
    struct caucus_arena *arena = execution->arena;
    struct caucus_execution *failed = arena->current;
    arena->broken = execution->engine->has_failed = true;
    arena->current = NULL;
    caucus_messages_abandon(failed);
    while (failed) {
        struct caucus_execution *follower = failed->follower;
        keep_failure(failed, status);
        failed->follower = NULL;
        unlink_active(failed);
        atomic_store_explicit(&failed->state, CAUCUS_EXECUTION_IDLE, memory_order_release);
        failed = follower;
    }
}

/* Under the engine's lock. */
static void progress(struct caucus_engine *engine, void *context) {
    (void)context;
    struct caucus_execution *execution = engine->active;
    while (execution) {
        bool is_complete = false;
        int status = CAUCUS_OK;
        if (caucus_execution_state(execution) != CAUCUS_EXECUTION_QUEUED)
            status = caucus_execution_advance(execution, &is_complete);
        if (status) {
            status = caucus_fail_in(status, "%s", execution->name);
            fail_runs(execution, status);
            execution = engine->active; /* several may be gone */
            continue;
        }
        struct caucus_execution *next = execution->next;
        if (is_complete) {
            unlink_active(execution);
            complete(execution);
        }
        execution = next;
    }
}

/* All runs of the engine at hand, and of the others if they have any. */
static void progress_with(struct caucus_engine *engine) {
    caucus_engine_lock(engine);
    progress(engine, NULL);
    bool others = caucus_progress_left(&active) != engine->active_count;
    caucus_engine_unlock(engine);
    if (others)
        caucus_engine_each(progress, NULL);
}

static void move_all(void) {
    caucus_engine_each(progress, NULL);
}

bool caucus_execution_active(const struct caucus_execution *execution) {
    return atomic_load_explicit(&execution->state, memory_order_acquire) != CAUCUS_EXECUTION_IDLE;
}

static int tell_failure(struct caucus_execution *execution) {
    int status = execution->failure;
    execution->failure = CAUCUS_OK;
    return status ? caucus_fail(status, "%s",
                                execution->failure_text ? execution->failure_text
                                                        : "out of memory for the reason")
                  : CAUCUS_OK;
}

static int start(struct caucus_execution *execution) {
    struct caucus_arena *arena = execution->arena;
    bool is_complete;
    if (arena->broken)
        return caucus_fail(CAUCUS_INTERNAL, "%s can't start: an earlier run of it failed",
                           execution->name);
    int status = execution->is_prepared ? CAUCUS_OK : caucus_execution_prepare(execution);
    if (status)
        return status;
    execution->run = ++arena->run;
    execution->polls = (struct caucus_polls){.last = 0};
    if (arena->current) {
        struct caucus_execution *last = arena->current;
        while (last->follower)
            last = last->follower;
        last->follower = execution;
        caucus_execution_enter(execution, CAUCUS_EXECUTION_QUEUED);
        link_active(execution);
        return CAUCUS_OK;
    }
    arena->current = execution;
    caucus_execution_begin(execution);
    status = caucus_execution_advance(execution, &is_complete);
    if (is_complete) {
        complete(execution);
        return CAUCUS_OK;
    }
    link_active(execution);
    if (status) {
        fail_runs(execution, caucus_fail_in(status, "%s", execution->name));
        status = tell_failure(execution);
    }
    return status;
}

int caucus_execution_start(struct caucus_execution *execution) {
    if (caucus_execution_active(execution))
        return caucus_fail(CAUCUS_INTERNAL, "%s was started, and is not complete", execution->name);
    caucus_engine_lock(execution->engine);
    int status = start(execution);
    caucus_engine_unlock(execution->engine);
    return status;
}

static void time_out(struct caucus_execution *execution) {
    char text[1024];
    struct caucus_engine *engine = execution->engine;
    caucus_engine_lock(engine);
    if (caucus_execution_active(execution)) {
        caucus_execution_describe(execution, text, sizeof text);
        fail_runs(execution,
                  caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, %s", engine->timeout, text));
    }
    caucus_engine_unlock(engine);
}

/* Whoever has not got a dead rank's part of it, or that of somebody who has given up for lack of
 * it, would wait for ever. */
static void fail_without(struct caucus_execution *execution) {
    struct caucus_engine *engine = execution->engine;
    caucus_engine_lock(engine);
    int dead = caucus_engine_dead(engine);
    if (dead >= 0 && caucus_execution_active(execution))
        fail_runs(execution, caucus_fail(CAUCUS_DEAD, "%s: rank %d, which takes part, is dead",
                                         execution->name, dead));
    caucus_engine_unlock(engine);
}

void caucus_execution_limit(struct caucus_execution *execution, double *begin) {
    const struct caucus_engine *engine = execution->engine;
    if (engine->detects)
        fail_without(execution);
    if (engine->timeout <= 0)
        return;
    double now = caucus_seconds();
    if (*begin == 0)
        *begin = now;
    else if (now - *begin > engine->timeout)
        time_out(execution);
}

/* Tests that never find it complete are a wait too. */
static void limit_tests(struct caucus_execution *execution) {
    double timeout = execution->engine->timeout;
    if (timeout > 0 && caucus_polls_too_long(&execution->polls, caucus_seconds(), timeout))
        time_out(execution);
}

int caucus_execution_test(struct caucus_execution *execution, bool *is_complete) {
    if (caucus_execution_active(execution)) {
        progress_with(execution->engine);
        if (caucus_execution_active(execution))
            caucus_waiting_poke(&execution->engine->waiting);
    }
    return caucus_execution_look(execution, is_complete);
}

int caucus_execution_look(struct caucus_execution *execution, bool *is_complete) {
    if (caucus_execution_active(execution))
        limit_tests(execution);
    *is_complete = !caucus_execution_active(execution);
    return *is_complete ? tell_failure(execution) : CAUCUS_OK;
}

int caucus_execution_wait(struct caucus_execution *execution) {
    struct caucus_engine *engine = execution->engine;
    double begin = 0;
    int64_t round = 0;
    for (; caucus_execution_active(execution); round++) {
        progress_with(engine);
        if (!caucus_execution_active(execution))
            break;
        caucus_waiting_pause(&engine->waiting, round);
        if (round % ROUNDS_PER_LOOK == ROUNDS_PER_LOOK - 1)
            caucus_progress_up_to(CAUCUS_PROGRESS_CALLS);
        if (round % CAUCUS_ROUNDS_PER_CLOCK == 0)
            caucus_execution_limit(execution, &begin);
    }
    if (round > 0)
        caucus_waiting_learn(&engine->waiting, round);
    return tell_failure(execution);
}
