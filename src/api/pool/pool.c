/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/group.h>
#include <caucus/pool.h>

#include "api/collective/context.h"
#include "api/common/raise.h"
#include "api/group/object.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/layout/host_copy.h"
#include "run/pool/runner.h"

#include <stdlib.h>

enum { LONGEST_TASK = 1 << 20 };

struct caucus_pool_object {
    struct caucus_context *comm_context; /* held */
    struct caucus_pool_runner *runner;
    caucus_pool_body *body;
    void *context;
    bool inside; /* the body */
};

static int conclude(caucus_pool pool, const char *function, int status) {
    return caucus_context_raise(pool ? pool->comm_context : NULL, false, function, status);
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

static int agree(const struct caucus_context *comm_context, int status,
                 const caucus_pool_options *options) {
    return caucus_opening_agree(comm_context, status, "options.task_bytes",
                                options ? options->task_bytes : 0);
}

int caucus_pool_open(MPI_Comm comm, const caucus_pool_options *options, caucus_pool *pool) {
    struct caucus_context *comm_context;
    int code = caucus_opening_context(comm, __func__, &comm_context);
    if (code)
        return code;
    struct caucus_pool_object *made = caucus_array(1, sizeof *made);
    int status =
        agree(comm_context, made ? read_options(options, pool) : CAUCUS_NO_MEMORY, options);
    if (!status) {
        status = caucus_pool_runner_open(comm_context->attachment, options->task_bytes,
                                         options->passes, &made->runner);
        status = agree(comm_context, status, options);
    }
    if (status) {
        if (made && made->runner) {
            made->runner->status = status;
            caucus_pool_runner_close(made->runner);
        }
        free(made);
        return caucus_raise(comm, comm_context->attachment, __func__, status);
    }
    made->comm_context = comm_context;
    made->body = options->body;
    made->context = options->context;
    caucus_context_hold(comm_context);
    *pool = made;
    caucus_succeed();
    return MPI_SUCCESS;
}

int caucus_pool_submit(caucus_pool pool, int ranks, const void *task) {
    struct caucus_host_copy copy;
    int status = check(pool, false);
    if (!status && (ranks < 1 || ranks > pool->runner->workers))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "ranks is %d: it must be from 1 to %d, the ranks of the pool that "
                             "work on tasks",
                             ranks, pool->runner->workers);
    if (!status && !task && pool->runner->task_bytes > 0)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "task is a null pointer");
    if (!status)
        status = caucus_host_copy_create(&copy, task, pool->runner->task_bytes, MPI_BYTE);
    if (!status) {
        status = caucus_pool_runner_submit(pool->runner, ranks, copy.buffer);
        caucus_host_copy_free(&copy);
    }
    return conclude(pool, __func__, status);
}

static int make_group(caucus_pool pool, struct caucus_pool_job *job, caucus_group *group) {
    struct caucus_light_group *made;
    if (job->lacks_memory)
        return CAUCUS_NO_MEMORY;
    int status = caucus_group_make_numbered(pool->comm_context->attachment, &job->members,
                                            job->number, &made);
    return status ? status : caucus_group_wrap(pool->comm_context, made, group);
}

/* code is what the body returns, or what the others hear instead: they wait for this rank. */
static int perform(caucus_pool pool, struct caucus_pool_job *job, int *code) {
    caucus_group group;
    int status = make_group(pool, job, &group);
    if (status) {
        *code = CAUCUS_POOL_NO_MEMORY;
        return status == CAUCUS_NO_MEMORY ? CAUCUS_OK : status;
    }
    pool->inside = true;
    *code = pool->body(pool->context, pool, group, job->task);
    pool->inside = false;
    caucus_group_free(&group);
    return CAUCUS_OK;
}

static int explain(const struct caucus_pool_failure *failure) {
    if (failure->code == CAUCUS_POOL_NO_NUMBER)
        return caucus_fail(CAUCUS_NO_MEMORY,
                           "rank %d has as many groups as MPI_TAG_UB allows, or no memory",
                           failure->rank);
    if (failure->code == CAUCUS_POOL_NO_MEMORY)
        return caucus_fail(CAUCUS_NO_MEMORY, "rank %d has no memory for task %lld", failure->rank,
                           (long long)failure->task);
    return caucus_fail(CAUCUS_TIMED_OUT /* MPI_ERR_OTHER */,
                       "the body of task %lld returned %d on rank %d", (long long)failure->task,
                       failure->code, failure->rank);
}

int caucus_pool_run(caucus_pool pool) {
    struct caucus_pool_job job = {.over = false};
    int code = 0, status = check(pool, true);
    if (status)
        return conclude(pool, __func__, status);
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
        return caucus_context_raise(pool->comm_context, true, __func__, status);
    }
    return conclude(pool, __func__, status);
}

int caucus_pool_statistics(caucus_pool pool, caucus_pool_counters *counters) {
    int status = check(pool, false);
    if (!status && !counters)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "counters is a null pointer");
    if (status)
        return conclude(pool, __func__, status);
    const struct caucus_pool_runner *runner = pool->runner;
    *counters = (caucus_pool_counters){runner->tasks, runner->messages, runner->waited};
    return MPI_SUCCESS;
}

int caucus_pool_close(caucus_pool *pool) {
    caucus_pool closed = pool ? *pool : CAUCUS_POOL_NULL;
    int status = check(closed, true);
    if (status)
        return conclude(closed, __func__, status);
    *pool = CAUCUS_POOL_NULL;
    status = caucus_pool_runner_close(closed->runner);
    int code = conclude(closed, __func__, status);
    caucus_context_let_go(closed->comm_context);
    free(closed);
    return code;
}
