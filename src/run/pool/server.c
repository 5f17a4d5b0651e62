/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0's part: tasks and workers come to its desk, and batches of workers get tasks. */
#include "base/memory.h"
#include "base/status.h"
#include "run/pool/letter.h"

#include <stdlib.h>
#include <string.h>

struct task {
    int64_t number;
    unsigned char bytes[];
};

static int32_t rank_of(const struct caucus_pool_runner *runner, int32_t worker) {
    return worker + (runner->attachment->size > 1);
}

static void free_task(int64_t task) {
    free((struct task *)(intptr_t)task);
}

int caucus_pool_server_submit(struct caucus_pool_runner *runner, int32_t needs, const void *bytes) {
    struct task *task = caucus_array((int64_t)sizeof *task + runner->task_bytes, 1);
    if (!task)
        return CAUCUS_NO_MEMORY;
    task->number = runner->submitted++;
    if (runner->task_bytes > 0)
        memcpy(task->bytes, bytes, (size_t)runner->task_bytes);
    int status = CAUCUS_OK;
    if (runner->failure.code)
        free(task); /* nothing is begun any more */
    else
        status = caucus_desk_submit(&runner->desk, (int64_t)(intptr_t)task, needs);
    if (status)
        free(task);
    return status;
}

void caucus_pool_server_drop(struct caucus_pool_runner *runner) {
    for (int64_t i = runner->desk.first; i < runner->desk.end; i++)
        free_task(runner->desk.waiting[i].task);
    caucus_desk_clear(&runner->desk);
}

int caucus_pool_server_hear(struct caucus_pool_runner *runner, int32_t rank,
                            const struct caucus_pool_letter *letter) {
    int32_t worker = rank - (runner->attachment->size > 1);
    if (letter->kind == CAUCUS_POOL_SUBMIT)
        return caucus_pool_server_submit(runner, letter->count, letter->rest);
    runner->offered[worker] = letter->number;
    caucus_desk_ready(&runner->desk, worker);
    if (letter->code && !runner->failure.code) {
        runner->failure = (struct caucus_pool_failure){letter->code, rank, letter->task};
        caucus_pool_server_drop(runner);
    }
    return CAUCUS_OK;
}

static int start(struct caucus_pool_runner *runner, const struct caucus_desk_task *found) {
    struct task *task = (struct task *)(intptr_t)found->task;
    struct caucus_pool_letter *letter = runner->letter;
    *letter = (struct caucus_pool_letter){.kind = CAUCUS_POOL_START,
                                          .count = found->needs,
                                          .number = runner->offered[runner->chosen[0]],
                                          .task = task->number};
    for (int32_t i = 0; i < found->needs; i++) {
        int32_t rank = rank_of(runner, runner->chosen[i]);
        memcpy(letter->rest + 4 * i, &rank, sizeof rank);
    }
    memcpy(letter->rest + 4 * found->needs, task->bytes, (size_t)runner->task_bytes);
    free(task);
    return caucus_pool_send(runner, rank_of(runner, runner->chosen[0]), letter,
                            caucus_pool_start_bytes(runner, found->needs));
}

int caucus_pool_server_hand_out(struct caucus_pool_runner *runner) {
    struct caucus_desk_task found;
    int status = CAUCUS_OK;
    while (!status && caucus_desk_next(&runner->desk, &found, runner->chosen)) {
        status = start(runner, &found);
        if (runner->attachment->size == 1)
            break; /* it is this rank's next job */
    }
    return status;
}
