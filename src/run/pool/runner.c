/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/pool/runner.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"
#include "run/engine.h"
#include "run/pool/letter.h"
#include "run/waits.h"

#include <stdlib.h>
#include <string.h>

static bool serves(const struct caucus_pool_runner *runner) {
    return runner->attachment->rank == 0;
}

static bool is_alone(const struct caucus_pool_runner *runner) {
    return runner->attachment->size == 1;
}

static void drop(struct caucus_pool_runner *runner) {
    if (serves(runner))
        caucus_pool_server_drop(runner);
    caucus_desk_free(&runner->desk);
    free(runner->offered);
    free(runner->chosen);
    free(runner->letter);
    free(runner);
}

static int fill(struct caucus_pool_runner *runner, MPI_Comm comm, int32_t passes) {
    int64_t longest = caucus_pool_start_bytes(runner, runner->workers);
    int status = CAUCUS_OK;
    runner->letter = caucus_array(longest, 1);
    if (serves(runner)) {
        status = caucus_desk_create(&runner->desk, runner->workers, passes);
        runner->offered = caucus_array(runner->workers, sizeof *runner->offered);
        runner->chosen = caucus_array(runner->workers, sizeof *runner->chosen);
    }
    if (!runner->letter || (serves(runner) && (!runner->offered || !runner->chosen)))
        status = CAUCUS_NO_MEMORY;
    return status ? status : caucus_mail_open(comm, (int)longest, &runner->mail);
}

int caucus_pool_runner_open(struct caucus_attachment *attachment, MPI_Comm comm, int32_t task_bytes,
                            int32_t passes, bool (*also)(void), struct caucus_pool_runner **made) {
    struct caucus_pool_runner *runner = caucus_array(1, sizeof *runner);
    if (!runner)
        return CAUCUS_NO_MEMORY;
    runner->attachment = attachment;
    runner->workers = attachment->size > 1 ? attachment->size - 1 : 1;
    runner->task_bytes = task_bytes;
    runner->number = -1;
    runner->also = also;
    int status = fill(runner, comm, passes);
    if (status) {
        drop(runner);
        return status;
    }
    caucus_attachment_hold(attachment);
    *made = runner;
    return CAUCUS_OK;
}

int caucus_pool_send(struct caucus_pool_runner *runner, int32_t rank,
                     const struct caucus_pool_letter *letter, int64_t length) {
    if (rank == runner->attachment->rank) /* alone: it is in runner->letter */
        return CAUCUS_OK;
    runner->messages++;
    return caucus_mail_send(runner->mail, rank, letter, (int)length);
}

int caucus_pool_runner_submit(struct caucus_pool_runner *runner, int32_t needs, const void *task) {
    if (serves(runner))
        return caucus_pool_server_submit(runner, needs, task);
    struct caucus_pool_letter *letter =
        caucus_array((int64_t)sizeof *letter + runner->task_bytes, 1);
    if (!letter)
        return CAUCUS_NO_MEMORY;
    letter->kind = CAUCUS_POOL_SUBMIT;
    letter->count = needs;
    if (runner->task_bytes > 0)
        memcpy(letter->rest, task, (size_t)runner->task_bytes);
    int status = caucus_pool_send(runner, 0, letter, (int64_t)sizeof *letter + runner->task_bytes);
    free(letter);
    return status;
}

/* On to those below in the tree of the list, or of all workers. */
static int pass_on(struct caucus_pool_runner *runner, int32_t count, int32_t position,
                   const int32_t *ranks, int64_t length) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int32_t below = caucus_position_children(count, position, children);
    int status = CAUCUS_OK;
    for (int32_t i = 0; i < below && !status; i++)
        status = caucus_pool_send(runner, ranks ? ranks[children[i]] : children[i], runner->letter,
                                  length);
    return status;
}

static int begin(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_letter *letter = runner->letter;
    int32_t *ranks = caucus_array_copy(letter->rest, letter->count, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    int status =
        caucus_members_from_list(&job->members, runner->attachment->size, letter->count, ranks);
    if (!status) {
        int32_t position = caucus_members_position(&job->members, runner->attachment->rank);
        job->over = false;
        job->number = letter->number;
        job->task = letter->rest + 4 * (int64_t)letter->count;
        runner->doing = letter->task;
        runner->tasks++;
        if (position == 0)
            runner->number = -1;
        status = pass_on(runner, letter->count, position, ranks,
                         caucus_pool_start_bytes(runner, letter->count));
        if (status)
            caucus_members_free(&job->members);
    }
    free(ranks);
    return status;
}

static int end(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_letter *letter = runner->letter;
    job->over = true;
    runner->failure = (struct caucus_pool_failure){letter->code, letter->rank, letter->task};
    return pass_on(runner, runner->attachment->size, runner->attachment->rank, NULL,
                   (int64_t)sizeof *letter);
}

/* All workers are idle and nothing waits: told to all, from here. */
static int finish(struct caucus_pool_runner *runner, struct caucus_pool_job *job) {
    const struct caucus_pool_failure failure = runner->failure;
    *runner->letter = (struct caucus_pool_letter){
        .kind = CAUCUS_POOL_END, .code = failure.code, .rank = failure.rank, .task = failure.task};
    for (int32_t i = 0; i < runner->workers; i++)
        runner->desk.is_idle[i] = false;
    runner->desk.idle = 0;
    return end(runner, job);
}

static void explain(const void *context, char *text, int64_t size) {
    const struct caucus_pool_runner *runner = context;
    if (serves(runner)) {
        caucus_desk_explain(&runner->desk, 1, text, size);
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
    struct caucus_mail_wait wait = {0};
    struct caucus_mail_letter letter;
    double seconds = 0;
    struct caucus_waits_call call = told_as(runner);
    int status = caucus_pool_server_hand_out(runner);
    caucus_waits_call_begin(&call);
    while (!status && !caucus_desk_is_over(&runner->desk)) {
        bool taken;
        status = caucus_mail_take(runner->mail, &taken, &letter);
        if (!status && taken) {
            status = caucus_pool_server_hear(runner, letter.source, letter.bytes);
            wait = (struct caucus_mail_wait){0};
        } else if (!status) {
            status = caucus_pool_server_hand_out(runner); /* all that came is known */
            caucus_mail_pause(runner->mail, &wait, runner->also, &seconds);
        }
    }
    caucus_waits_call_end(&call);
    return status ? status : finish(runner, job);
}

static int do_alone(struct caucus_pool_runner *runner, const struct caucus_pool_letter *ready,
                    struct caucus_pool_job *job) {
    int status = caucus_pool_server_hear(runner, 0, ready);
    if (status || caucus_desk_is_over(&runner->desk))
        return status ? status : finish(runner, job);
    status = caucus_pool_server_hand_out(runner);
    return status ? status : begin(runner, job);
}

static int work(struct caucus_pool_runner *runner, const struct caucus_pool_letter *ready,
                struct caucus_pool_job *job) {
    struct caucus_mail_wait wait = {0};
    struct caucus_mail_letter letter;
    double seconds = 0;
    bool taken;
    struct caucus_waits_call call = told_as(runner);
    int status = caucus_pool_send(runner, 0, ready, (int64_t)sizeof *ready);
    caucus_waits_call_begin(&call);
    if (!status)
        status = caucus_mail_take(runner->mail, &taken, &letter);
    while (!status && !taken) {
        caucus_mail_pause(runner->mail, &wait, runner->also, &seconds);
        status = caucus_mail_take(runner->mail, &taken, &letter);
    }
    caucus_waits_call_end(&call);
    runner->waited += seconds;
    if (status)
        return status;
    memcpy(runner->letter, letter.bytes, (size_t)letter.length);
    return runner->letter->kind == CAUCUS_POOL_START ? begin(runner, job) : end(runner, job);
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
    const struct caucus_pool_letter ready = {
        .kind = CAUCUS_POOL_READY, .code = code, .number = runner->number, .task = runner->doing};
    return is_alone(runner) ? do_alone(runner, &ready, job) : work(runner, &ready, job);
}

int caucus_pool_runner_close(struct caucus_pool_runner *runner) {
    int status = caucus_mail_close(runner->mail, !runner->status, runner->also,
                                   runner->attachment->engine->timeout);
    if (runner->number >= 0)
        caucus_group_number_give(runner->attachment, runner->number);
    struct caucus_attachment *attachment = runner->attachment;
    drop(runner);
    caucus_attachment_let_go(attachment);
    return status;
}
