/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/schedule/event_queue.h"

#include "base/memory.h"

#include <stdlib.h>

enum { CHILDREN = 4 };

void caucus_event_queue_free(struct caucus_event_queue *queue) {
    free(queue->heap);
    *queue = (struct caucus_event_queue){0};
}

static inline bool before(const struct caucus_queued *a, const struct caucus_queued *b) {
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

bool caucus_event_push(struct caucus_event_queue *queue, struct caucus_queued event) {
    void *wider = caucus_array_grow(queue->heap, queue->count, &queue->room, sizeof event);
    if (!wider)
        return false;
    queue->heap = wider;
    int64_t at = queue->count++;
    event.order = queue->pushed++;
    while (at > 0) {
        int64_t parent = (at - 1) / CHILDREN;
        if (!before(&event, &queue->heap[parent]))
            break;
        queue->heap[at] = queue->heap[parent];
        at = parent;
    }
    queue->heap[at] = event;
    return true;
}

static int64_t first_child(const struct caucus_event_queue *queue, int64_t at) {
    int64_t child = CHILDREN * at + 1;
    int64_t end = child + CHILDREN < queue->count ? child + CHILDREN : queue->count;
    for (int64_t other = child + 1; other < end; other++)
        if (before(&queue->heap[other], &queue->heap[child]))
            child = other;
    return child;
}

bool caucus_event_pop(struct caucus_event_queue *queue, struct caucus_queued *event) {
    if (queue->count == 0)
        return false;
    *event = queue->heap[0];
    struct caucus_queued last = queue->heap[--queue->count];
    for (int64_t at = 0; queue->count > 0;) {
        int64_t child = first_child(queue, at);
        if (child >= queue->count || before(&last, &queue->heap[child])) {
            queue->heap[at] = last;
            break;
        }
        queue->heap[at] = queue->heap[child];
        at = child;
    }
    return true;
}
