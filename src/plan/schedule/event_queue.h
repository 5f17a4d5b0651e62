/* SPDX-License-Identifier: BSD-3-Clause */
/* What is going to happen, the earliest first; of events at one time, the one pushed first. */
#ifndef CAUCUS_PLAN_SCHEDULE_EVENT_QUEUE_H
#define CAUCUS_PLAN_SCHEDULE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_queued {
    double time;
    uint64_t order;      /* the queue's own */
    uint32_t kind : 8;   /* these three are the */
    uint32_t value : 24; /* user's */
    int32_t subject;
};

struct caucus_event_queue {
    struct caucus_queued *heap; /* every entry is before its four children */
    int64_t count, room;
    uint64_t pushed;
};

/* False when out of memory, with caucus_error_text() set. */
bool caucus_event_push(struct caucus_event_queue *queue, struct caucus_queued event);

/* The earliest, taken out; false when there is none. */
bool caucus_event_pop(struct caucus_event_queue *queue, struct caucus_queued *event);

void caucus_event_queue_free(struct caucus_event_queue *queue);

#endif
