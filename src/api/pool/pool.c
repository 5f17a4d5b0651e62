/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/group.h>
#include <caucus/pool.h>

#include "api/collective/queued.h"
#include "api/group/object.h"
#include "api/opening.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/pool/runner.h"
#include "run/private.h"

#include <stdlib.h>

enum { LONGEST_TASK = 1 << 20 };

struct caucus_pool_object {
    struct caucus_team *team; /* held */
    struct caucus_pool_runner *runner;
    caucus_pool_body *body;
    void *context;
    bool inside; /* the body */
};

static int raise(caucus_pool pool, const char *function, int status) {
    if (!status)
        return MPI_SUCCESS;
    return pool ? caucus_team_raise(pool->team, false, function, status)
                : caucus_raise(MPI_COMM_SELF, NULL, function, status);
}

static int check(caucus_pool pool, bool outside) {
    if (!pool)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "pool is CAUCUS_POOL_NULL");
    if (outside && pool->inside)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "it was called by the body of a task of the pool");
    return CAUCUS_OK;
}

static int read_options(const caucus_pool_options *options, const caucus_pool *pool) {
    if (!options || !pool || !options->body)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer",
                           !options ? "options"
                           : !pool  ? "pool"
                                    : "options.body");
    if (options->task_bytes < 0 || options->task_bytes > LONGEST_TASK || options->passes < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "options.task_bytes and passes are %d and %d: they must be at least 0, "
                           "and task_bytes at most 2^20",
                           options->task_bytes, options->passes);
    return CAUCUS_OK;
}

static int agree(const struct caucus_team *team, int status, const caucus_pool_options *options) {
    const int64_t bytes = options ? options->task_bytes : 0;
    const struct caucus_item item = {"options.task_bytes", CAUCUS_ITEM_LONGS, &bytes, 1};
    return caucus_agree(&team->attachment->peers, status, 1, &item);
}

static int open(struct caucus_team *team, const caucus_pool_options *options,
                struct caucus_pool_object *made) {
    MPI_Comm private;
    int first_group;
    int status = caucus_private_make(team->attachment->comm, &private, &first_group);
    if (status)
        return status;
    status = caucus_pool_runner_open(team->attachment, private, options->task_bytes,
                                     options->passes, caucus_queued_progress, &made->runner);
    if (status)
        caucus_private_free(&private);
    return agree(team, status, options);
}

int caucus_pool_open(MPI_Comm comm, const caucus_pool_options *options, caucus_pool *pool) {
    struct caucus_team *team;
    int code = caucus_opening_team(comm, __func__, &team);
    if (code)
        return code;
    struct caucus_pool_object *made = caucus_array(1, sizeof *made);
    int status = agree(team, made ? read_options(options, pool) : CAUCUS_NO_MEMORY, options);
    if (!status)
        status = open(team, options, made);
    if (status) {
        if (made && made->runner) {
            made->runner->status = status;
            caucus_pool_runner_close(made->runner);
        }
        free(made);
        return caucus_raise(comm, team->attachment, __func__, status);
    }
    made->team = team;
    made->body = options->body;
    made->context = options->context;
    caucus_team_hold(team);
    *pool = made;
    return MPI_SUCCESS;
}

int caucus_pool_submit(caucus_pool pool, int ranks, const void *task) {
    int status = check(pool, false);
    if (!status && (ranks < 1 || ranks > pool->runner->workers))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "ranks is %d: it must be from 1 to %d, the ranks of the pool that "
                             "work on tasks",
                             ranks, pool->runner->workers);
    if (!status && !task && pool->runner->task_bytes > 0)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "task is a null pointer");
    if (!status)
        status = caucus_pool_runner_submit(pool->runner, ranks, task);
    return raise(pool, __func__, status);
}

/* code is what the body returns. */
static int perform(caucus_pool pool, struct caucus_pool_job *job, int *code) {
    struct caucus_light_group *made;
    caucus_group group;
    int status =
        caucus_group_make_numbered(pool->team->attachment, &job->members, job->number, &made);
    if (!status)
        status = caucus_group_wrap(pool->team, made, &group);
    if (status)
        return status;
    pool->inside = true;
    *code = pool->body(pool->context, pool, group, job->task);
    pool->inside = false;
    caucus_group_free(&group);
    return CAUCUS_OK;
}

static int explain(const struct caucus_pool_failure *failure) {
    if (failure->code == CAUCUS_POOL_NO_NUMBER)
        return caucus_fail(CAUCUS_NO_MEMORY, "rank %d has as many groups as MPI_TAG_UB allows",
                           failure->rank);
    return caucus_fail(CAUCUS_TIMED_OUT /* MPI_ERR_OTHER */,
                       "the body of task %lld returned %d on rank %d", (long long)failure->task,
                       failure->code, failure->rank);
}

int caucus_pool_run(caucus_pool pool) {
    struct caucus_pool_job job = {.over = false};
    int code = 0, status = check(pool, true);
    if (status)
        return raise(pool, __func__, status);
    status = pool->runner->status;
    while (!status && !job.over) {
        status = caucus_pool_runner_next(pool->runner, code, &job);
        if (!status && !job.over)
            status = perform(pool, &job, &code);
    }
    pool->runner->status = status;
    const struct caucus_pool_failure failure = pool->runner->failure;
    pool->runner->failure = (struct caucus_pool_failure){0};
    if (!status && failure.code) {
        status = explain(&failure);
        return caucus_team_raise(pool->team, true, __func__, status);
    }
    return raise(pool, __func__, status);
}

int caucus_pool_statistics(caucus_pool pool, caucus_pool_counters *counters) {
    int status = check(pool, false);
    if (!status && !counters)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "counters is a null pointer");
    if (status)
        return raise(pool, __func__, status);
    const struct caucus_pool_runner *runner = pool->runner;
    *counters = (caucus_pool_counters){runner->tasks, runner->messages, runner->waited};
    return MPI_SUCCESS;
}

int caucus_pool_close(caucus_pool *pool) {
    caucus_pool closed = pool ? *pool : CAUCUS_POOL_NULL;
    int status = check(closed, true);
    if (status)
        return raise(closed, __func__, status);
    *pool = CAUCUS_POOL_NULL;
    status = caucus_pool_runner_close(closed->runner);
    int code = raise(closed, __func__, status);
    caucus_team_let_go(closed->team);
    free(closed);
    return code;
}
