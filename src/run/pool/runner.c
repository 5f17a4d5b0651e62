/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/pool/runner.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"
#include "run/engine/engine.h"
#include "run/support/waits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 64 }; /* messages, before rank 0 hands tasks out */

/* What ranks of a pool say to each other. */
enum kind {
    KIND_SUBMIT, /* to rank 0: a task that needs `count` workers, and its bytes */
    KIND_READY,  /* to rank 0: a worker has nothing to do; `number` is one it may give, code what
                    came of `task` */
    KIND_START,  /* to workers: `count` ranks, and the bytes of `task` */
    KIND_END     /* to workers: all is done */
};

struct caucus_pool_message {
    int32_t kind, count, code, rank;
    int64_t number, task;
    unsigned char rest[];
};

/* That waits on rank 0. */
struct task {
    int64_t number;
    unsigned char bytes[];
};

static bool serves(const struct caucus_pool_runner *runner) {
    return runner->attachment->rank == 0;
}

static bool is_alone(const struct caucus_pool_runner *runner) {
    return runner->attachment->size == 1;
}

static int64_t start_bytes(int32_t task_bytes, int32_t count) {
    return (int64_t)sizeof(struct caucus_pool_message) + 4 * (int64_t)count + task_bytes;
}

static void drop_tasks(struct caucus_pool_runner *runner) {
    for (int64_t i = runner->queue.first; i < runner->queue.end; i++)
        free((struct task *)(intptr_t)runner->queue.waiting[i].task);
    caucus_task_queue_clear(&runner->queue);
}

static void drop(struct caucus_pool_runner *runner) {
    if (serves(runner))
        drop_tasks(runner);
    caucus_task_queue_free(&runner->queue);
    free(runner->offered);
    free(runner->chosen);
    free(runner->message);
    free(runner);
}

static int fill(struct caucus_pool_runner *runner, int32_t passes) {
    int status = CAUCUS_OK;
    runner->message = caucus_array(start_bytes(runner->task_bytes, runner->workers), 1);
    if (serves(runner)) {
        status = caucus_task_queue_create(&runner->queue, runner->workers, passes);
        runner->offered = caucus_array(runner->workers, sizeof *runner->offered);
        runner->chosen = caucus_array(runner->workers, sizeof *runner->chosen);
    }
    if (!runner->message || (serves(runner) && (!runner->offered || !runner->chosen)))
        status = CAUCUS_NO_MEMORY;
    return status;
}

static int make(const struct caucus_pool_runner *given, int32_t passes,
                struct caucus_pool_runner **made) {
    struct caucus_pool_runner *runner = caucus_array_copy(given, 1, sizeof *given);
    int status = runner ? fill(runner, passes) : CAUCUS_NO_MEMORY;
    if (!status)
        *made = runner;
    else if (runner)
        drop(runner);
    return status;
}

int caucus_pool_runner_open(struct caucus_attachment *attachment, int32_t task_bytes,
                            int32_t passes, struct caucus_pool_runner **made) {
    struct caucus_pool_runner runner = {.attachment = attachment,
                                        .workers = attachment->size > 1 ? attachment->size - 1 : 1,
                                        .task_bytes = task_bytes,
                                        .number = -1};
    int status = caucus_rank_mailbox_open(&runner.mailbox, attachment,
                                          start_bytes(task_bytes, runner.workers));
    if (status)
        return status;
    status = make(&runner, passes, made);
    if (status)
        caucus_rank_mailbox_close(&runner.mailbox, false, 0);
    else
        caucus_attachment_hold(attachment);
    return status;
}

/* To a rank, this one included. */
static int send(struct caucus_pool_runner *runner, int32_t rank,
                const struct caucus_pool_message *message, int64_t length) {
    if (rank == runner->attachment->rank) /* alone: it is in runner->message */
        return CAUCUS_OK;
    runner->messages++;
    return caucus_rank_mailbox_send(&runner->mailbox, rank, message, length, NULL, 0);
}

/* Rank 0's part: tasks and workers come to its queue, and batches of workers get tasks. A rank
 * alone is worker 0 itself. */
static int32_t rank_of(const struct caucus_pool_runner *runner, int32_t worker) {
    return worker + !is_alone(runner);
}

static int keep_task(struct caucus_pool_runner *runner, int32_t needs, const void *bytes) {
    int64_t number = runner->submitted++;
    if (runner->failure.code)
        return CAUCUS_OK; /* nothing is begun any more */
    struct task *task = caucus_array((int64_t)sizeof *task + runner->task_bytes, 1);
    if (!task)
        return CAUCUS_NO_MEMORY;
    task->number = number;
    if (runner->task_bytes > 0)
        memcpy(task->bytes, bytes, (size_t)runner->task_bytes);
    int status = caucus_task_queue_submit(&runner->queue, (int64_t)(intptr_t)task, needs);
    if (status)
        free(task);
    return status;
}

/* The first one counts. No more tasks are begun. */
static void fail(struct caucus_pool_runner *runner, int32_t code, int32_t rank, int64_t task) {
    if (runner->failure.code)
        return;
    runner->failure = (struct caucus_pool_failure){code, rank, task};
    drop_tasks(runner);
}

static void hear(struct caucus_pool_runner *runner, int32_t rank,
                 const struct caucus_pool_message *message) {
    int32_t worker = rank - !is_alone(runner);
    if (message->kind == KIND_SUBMIT) {
        if (keep_task(runner, message->count, message->rest))
            fail(runner, CAUCUS_POOL_NO_MEMORY, runner->attachment->rank, runner->submitted - 1);
        return;
    }
    runner->offered[worker] = message->number;
    caucus_task_queue_ready(&runner->queue, worker);
    if (message->code)
        fail(runner, message->code, rank, message->task);
}

static int start(struct caucus_pool_runner *runner, const struct caucus_task_queue_task *found) {
    struct task *task = (struct task *)(intptr_t)found->task;
    struct caucus_pool_message *message = runner->message;
    *message = (struct caucus_pool_message){.kind = KIND_START,
                                            .count = found->needs,
                                            .number = runner->offered[runner->chosen[0]],
                                            .task = task->number};
    for (int32_t i = 0; i < found->needs; i++) {
        int32_t rank = rank_of(runner, runner->chosen[i]);
        memcpy(message->rest + 4 * i, &rank, sizeof rank);
    }
    memcpy(message->rest + 4 * found->needs, task->bytes, (size_t)runner->task_bytes);
    free(task);
    return send(runner, rank_of(runner, runner->chosen[0]), message,
                start_bytes(runner->task_bytes, found->needs));
}

static int hand_out(struct caucus_pool_runner *runner) {
    struct caucus_task_queue_task found;
    int status = CAUCUS_OK;
    while (!status && caucus_task_queue_next(&runner->queue, &found, runner->chosen)) {
        status = start(runner, &found);
        if (is_alone(runner))
            break; /* it is this rank's next job */
    }
    return status;
}

int caucus_pool_runner_submit(struct caucus_pool_runner *runner, int32_t needs, const void *task) {
    if (serves(runner))
        return keep_task(runner, needs, task);
    const struct caucus_pool_message head = {.kind = KIND_SUBMIT, .count = needs};
    int64_t length = (int64_t)sizeof head + runner->task_bytes;
    int status = caucus_mailbox_reserve(&runner->mailbox.box, 1, length); /* or it might wait */
    if (status)
        return status;
    runner->messages++;
    return caucus_rank_mailbox_send(&runner->mailbox, 0, &head, sizeof head, task,
                                    runner->task_bytes);
}

/* On to those below in the tree of the list, or of all workers. */
static int pass_on(struct caucus_pool_runner *runner, int32_t count, int32_t position,
                   const int32_t *ranks, int64_t length) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int32_t below = caucus_position_children(count, position, children);
    int status = CAUCUS_OK;
    for (int32_t i = 0; i < below && !status; i++)
        status = send(runner, ranks ? ranks[children[i]] : children[i], runner->message, length);
    return status;
}

/* Those below in the tree hear of it, whether or not this rank has memory for its part. */
static int begin(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_message *message = runner->message;
    const int32_t *ranks = (const void *)message->rest;
    int32_t position = 0;
    while (position < message->count && ranks[position] != runner->attachment->rank)
        position++;
    if (position == 0 && message->number != runner->number)
        return caucus_fail(CAUCUS_INTERNAL, "a group of a pool begins here, and its number is none "
                                            "that this rank has offered");
    job->over = false;
    job->number = message->number;
    job->task = message->rest + 4 * (int64_t)message->count;
    runner->doing = message->task;
    runner->tasks++;
    if (position == 0)
        runner->number = -1;
    int status = pass_on(runner, message->count, position, ranks,
                         start_bytes(runner->task_bytes, message->count));
    if (status)
        return status;
    status =
        caucus_members_from_list(&job->members, runner->attachment->size, message->count, ranks);
    job->lacks_memory = status == CAUCUS_NO_MEMORY;
    return job->lacks_memory ? CAUCUS_OK : status;
}

static int end(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_message *message = runner->message;
    job->over = true;
    runner->failure = (struct caucus_pool_failure){message->code, message->rank, message->task};
    return pass_on(runner, runner->attachment->size, runner->attachment->rank, NULL,
                   (int64_t)sizeof *message);
}

/* All workers are idle and nothing waits: told to all, from here. */
static int finish(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_failure failure = runner->failure;
    *runner->message = (struct caucus_pool_message){
        .kind = KIND_END, .code = failure.code, .rank = failure.rank, .task = failure.task};
    for (int32_t i = 0; i < runner->workers; i++)
        runner->queue.is_idle[i] = false;
    runner->queue.idle = 0;
    return end(runner, job);
}

static void explain(const void *context, char *text, int64_t size) {
    const struct caucus_pool_runner *runner = context;
    if (serves(runner)) {
        caucus_task_queue_explain(&runner->queue, 1, text, size);
        return;
    }
    struct caucus_sentences words = caucus_sentences_in(text, size);
    caucus_sentences_has(&words, 0, "no task for this rank yet (message START or END)");
}

static struct caucus_waits_call told_as(const struct caucus_pool_runner *runner) {
    return (struct caucus_waits_call){
        .name = "a pool", .comm = runner->attachment->comm, .explain = explain, .context = runner};
}

static int serve(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    struct caucus_rank_mailbox_wait wait = {0};
    struct caucus_mailbox_message came;
    double seconds = 0;
    int64_t heard = 0;
    struct caucus_waits_call call = told_as(runner);
    int status = hand_out(runner);
    caucus_waits_call_begin(&call);
    while (!status && !caucus_task_queue_is_over(&runner->queue)) {
        bool taken;
        status = caucus_mailbox_take(&runner->mailbox.box, &taken, &came);
        if (!status && taken) {
            hear(runner, came.source, came.bytes);
            wait = (struct caucus_rank_mailbox_wait){0};
        }
        if (!status && (!taken || ++heard % MOST_AT_ONCE == 0))
            status = hand_out(runner);
        if (!status && !taken)
            caucus_rank_mailbox_pause(&runner->mailbox, &wait, &seconds);
    }
    caucus_waits_call_end(&call);
    return status ? status : finish(runner, job);
}

static int do_alone(struct caucus_pool_runner *runner, const struct caucus_pool_message *ready,
                    struct caucus_pool_job *job) {
    hear(runner, 0, ready);
    if (caucus_task_queue_is_over(&runner->queue))
        return finish(runner, job);
    int status = hand_out(runner);
    return status ? status : begin(runner, job);
}

static int work(struct caucus_pool_runner *runner, const struct caucus_pool_message *ready,
                struct caucus_pool_job *job) {
    struct caucus_rank_mailbox_wait wait = {0};
    struct caucus_mailbox_message came;
    double seconds = 0;
    bool taken;
    struct caucus_waits_call call = told_as(runner);
    int status = send(runner, 0, ready, (int64_t)sizeof *ready);
    caucus_waits_call_begin(&call);
    if (!status)
        status = caucus_mailbox_take(&runner->mailbox.box, &taken, &came);
    while (!status && !taken) {
        caucus_rank_mailbox_pause(&runner->mailbox, &wait, &seconds);
        status = caucus_mailbox_take(&runner->mailbox.box, &taken, &came);
    }
    caucus_waits_call_end(&call);
    runner->waited += seconds;
    if (status)
        return status;
    memcpy(runner->message, came.bytes, (size_t)came.length);
    return runner->message->kind == KIND_START ? begin(runner, job) : end(runner, job);
}

int caucus_pool_runner_next(struct caucus_pool_runner *runner, int32_t code,
                            struct caucus_pool_job *job) {
    *job = (struct caucus_pool_job){.over = true};
    if (serves(runner) && !is_alone(runner))
        return serve(runner, job);
    if (runner->number < 0 && caucus_group_number_take(runner->attachment, &runner->number)) {
        runner->number = -1;
        code = CAUCUS_POOL_NO_NUMBER; /* for all to end: rank 0 waits for this one */
    }
    const struct caucus_pool_message ready = {
        .kind = KIND_READY, .code = code, .number = runner->number, .task = runner->doing};
    return is_alone(runner) ? do_alone(runner, &ready, job) : work(runner, &ready, job);
}

int caucus_pool_runner_close(struct caucus_pool_runner *runner) {
    int status = caucus_rank_mailbox_close(&runner->mailbox, !runner->status,
                                           runner->attachment->engine->timeout);
    if (runner->number >= 0)
        caucus_group_number_give(runner->attachment, runner->number);
    struct caucus_attachment *attachment = runner->attachment;
    drop(runner);
    caucus_attachment_let_go(attachment);
    return status;
}
