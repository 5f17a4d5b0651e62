/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/task_queue.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/sentences.h"

#include <stdlib.h>
#include <string.h>

int caucus_task_queue_create(struct caucus_task_queue *queue, int32_t workers, int32_t passes) {
    *queue = (struct caucus_task_queue){.workers = workers, .passes = passes};
    queue->is_idle = caucus_array(workers, sizeof *queue->is_idle);
    return queue->is_idle ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_task_queue_free(struct caucus_task_queue *queue) {
    free(queue->is_idle);
    free(queue->waiting);
    *queue = (struct caucus_task_queue){0};
}

/* At the end, where new ones come; what was taken at the beginning is used again. */
static int make_room(struct caucus_task_queue *queue) {
    int64_t waiting = queue->end - queue->first;
    if (queue->end < queue->room)
        return CAUCUS_OK;
    if (waiting > queue->room / 2 || queue->room == 0) {
        void *larger =
            caucus_array_grow(queue->waiting, queue->end, &queue->room, sizeof *queue->waiting);
        if (!larger)
            return CAUCUS_NO_MEMORY;
        queue->waiting = larger;
        return CAUCUS_OK;
    }
    memmove(queue->waiting, queue->waiting + queue->first,
            (size_t)waiting * sizeof *queue->waiting);
    queue->first = 0;
    queue->end = waiting;
    return CAUCUS_OK;
}

int caucus_task_queue_submit(struct caucus_task_queue *queue, int64_t task, int32_t needs) {
    if (make_room(queue))
        return CAUCUS_NO_MEMORY;
    queue->waiting[queue->end++] = (struct caucus_task_queue_task){task, needs, 0};
    return CAUCUS_OK;
}

void caucus_task_queue_ready(struct caucus_task_queue *queue, int32_t worker) {
    if (queue->idle == 0 || worker < queue->lowest)
        queue->lowest = worker;
    queue->idle += !queue->is_idle[worker];
    queue->is_idle[worker] = true;
}

void caucus_task_queue_clear(struct caucus_task_queue *queue) {
    queue->first = queue->end = 0;
}

/* The first that enough are idle for and that may pass all before it; -1. */
static int64_t find(const struct caucus_task_queue *queue) {
    for (int64_t i = queue->first; i < queue->end; i++) {
        if (queue->waiting[i].needs <= queue->idle)
            return i;
        if (queue->waiting[i].passed >= queue->passes)
            return -1;
    }
    return -1;
}

static void take(struct caucus_task_queue *queue, int64_t place) {
    for (int64_t i = place; i > queue->first; i--) {
        queue->waiting[i] = queue->waiting[i - 1];
        queue->waiting[i].passed++;
    }
    queue->first++;
}

/* The idle workers are listed; of needs that follow one another there, those nearest together: the
 * first that have nobody between them, if there are such. */
static void choose(struct caucus_task_queue *queue, int32_t needs, int32_t *chosen) {
    int32_t idle = 0, best = 0, nearest = queue->workers;
    for (int32_t worker = queue->lowest; worker < queue->workers && nearest >= needs; worker++) {
        if (!queue->is_idle[worker])
            continue;
        chosen[idle++] = worker;
        if (idle < needs || worker - chosen[idle - needs] >= nearest)
            continue;
        best = idle - needs;
        nearest = worker - chosen[best];
    }
    memmove(chosen, chosen + best, (size_t)needs * sizeof *chosen);
    for (int32_t i = 0; i < needs; i++)
        queue->is_idle[chosen[i]] = false;
    queue->idle -= needs;
    if (best == 0)
        queue->lowest = chosen[needs - 1] + 1;
}

bool caucus_task_queue_next(struct caucus_task_queue *queue, struct caucus_task_queue_task *found,
                            int32_t *chosen) {
    int64_t place = find(queue);
    if (place < 0)
        return false;
    *found = queue->waiting[place];
    take(queue, place);
    choose(queue, found->needs, chosen);
    return true;
}

void caucus_task_queue_explain(const struct caucus_task_queue *queue, int32_t first, char *text,
                               int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    for (int32_t worker = 0; worker < queue->workers; worker++)
        if (!queue->is_idle[worker])
            caucus_sentences_name(&words, (int64_t)first + worker);
    caucus_sentences_have(&words, "not come back for a task (message READY)");
    caucus_sentences_tell(&words, "%d of %d workers are idle, %lld tasks wait for workers",
                          (int)queue->idle, (int)queue->workers,
                          (long long)(queue->end - queue->first));
}
