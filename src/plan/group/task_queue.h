/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that ask for so many workers each, and workers that are idle: which task is next, and who
 * does it. Tasks are handed out in the order they came; where there are not workers enough for the
 * first, they are kept for it, but for tasks behind it that need fewer: a task is passed so at most
 * `passes` times. The workers that are taken lie as close together as the idle ones allow. */
#ifndef CAUCUS_PLAN_GROUP_TASK_QUEUE_H
#define CAUCUS_PLAN_GROUP_TASK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_task_queue_task {
    int64_t task; /* the caller's */
    int32_t needs, passed;
};

struct caucus_task_queue {
    int32_t workers, idle, passes;
    int32_t lowest; /* nobody before this one is idle */
    bool *is_idle;
    struct caucus_task_queue_task *waiting; /* in their order */
    int64_t first, end, room;               /* those that wait are first to end - 1 */
};

int caucus_task_queue_create(struct caucus_task_queue *queue, int32_t workers, int32_t passes);
void caucus_task_queue_free(struct caucus_task_queue *queue);

/* needs is 1 to workers. O(1) on average. */
int caucus_task_queue_submit(struct caucus_task_queue *queue, int64_t task, int32_t needs);

/* worker has nothing to do. */
void caucus_task_queue_ready(struct caucus_task_queue *queue, int32_t worker);

/* Hands out a task, if one can be: chosen[needs] of *found are its workers, ascending, who are not
 * idle any more; an array of `workers` is the caller's. O(needs + tasks that are passed) where
 * enough idle workers follow one another, else O(workers + these). */
bool caucus_task_queue_next(struct caucus_task_queue *queue, struct caucus_task_queue_task *found,
                            int32_t *chosen);

/* Hands out no more of what waits. */
void caucus_task_queue_clear(struct caucus_task_queue *queue);

/* Who is at work, in words: worker i is rank first + i. */
void caucus_task_queue_explain(const struct caucus_task_queue *queue, int32_t first, char *text,
                               int64_t size);

/* All are idle, and nothing waits. */
static inline bool caucus_task_queue_is_over(const struct caucus_task_queue *queue) {
    return queue->idle == queue->workers && queue->first == queue->end;
}

#endif
