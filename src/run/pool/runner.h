/* SPDX-License-Identifier: BSD-3-Clause */
/* A pool: rank 0 hands tasks out (plan/group/task_queue.h), the others are its workers; a rank
 * alone is both. What makes a task's workers a group, their list and its number, rides on the
 * message that brings the task: to the first of them, and from there down their tree. One thread at
 * a time. */
#ifndef CAUCUS_RUN_POOL_RUNNER_H
#define CAUCUS_RUN_POOL_RUNNER_H

#include "plan/group/task_queue.h"
#include "run/attachment/attach.h"
#include "run/group/group.h"
#include "run/protocol/rank_mailbox.h"

/* What a rank is to do; valid until the next. */
struct caucus_pool_job {
    bool over;         /* nothing: all is done */
    bool lacks_memory; /* there is a task, and no list of its members */
    struct caucus_members members;
    int64_t number;   /* of their group */
    const void *task; /* task_bytes */
};

/* Instead of what a body returns: there was no number for a group that this rank would begin, or no
 * memory for a task. */
enum { CAUCUS_POOL_NO_NUMBER = INT32_MIN, CAUCUS_POOL_NO_MEMORY };

struct caucus_pool_failure {
    int32_t code; /* that a body returned; 0: none has failed */
    int32_t rank;
    int64_t task; /* by the order in which they came to rank 0, from 0 */
};

struct caucus_pool_runner {
    struct caucus_attachment *attachment; /* held; it has an engine */
    struct caucus_rank_mailbox mailbox;
    int32_t workers, task_bytes;
    struct caucus_task_queue queue; /* of rank 0, as the next three are */
    int64_t submitted;
    int64_t *offered; /* by each worker: the number of a group that it begins */
    int32_t *chosen;
    int64_t number; /* this rank's to give; -1 */
    int64_t doing;  /* the task that this rank did last */
    struct caucus_pool_failure failure;
    struct caucus_pool_message *message; /* what brought the job, or is to go out */
    int64_t messages, tasks;
    double waited;
    int status;
};

/* Collective; it may fail on some ranks alone. */
int caucus_pool_runner_open(struct caucus_attachment *attachment, int32_t task_bytes,
                            int32_t passes, struct caucus_pool_runner **runner);

/* needs is 1 to workers. Local. */
int caucus_pool_runner_submit(struct caucus_pool_runner *runner, int32_t needs, const void *task);

/* Of all ranks, until *job is over: code is what came of the job before, 0 to begin with. Rank 0 of
 * several hands out meanwhile, and its first job is over. How it ended is in failure. */
int caucus_pool_runner_next(struct caucus_pool_runner *runner, int32_t code,
                            struct caucus_pool_job *job);

/* Collective. */
int caucus_pool_runner_close(struct caucus_pool_runner *runner);

#endif
