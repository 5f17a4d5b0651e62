/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks whose processors and cards are modelled: ranks do one thing after the
 * other; a message takes its sender overhead + bytes, the cards of two nodes, and its receiver
 * overhead, as in src/plan/overlay/estimate.c. */
#ifndef CAUCUS_BENCH_MODELLED_MESSAGES_H
#define CAUCUS_BENCH_MODELLED_MESSAGES_H

#include "base/memory.h"
#include "base/status.h"
#include "plan/machine/model.h"
#include "plan/protocol/channel.h"
#include "plan/schedule/event_queue.h"

#include <stdlib.h>
#include <string.h>

struct modelled_message {
    int32_t from, to, next; /* next: of those that are not in use, or that wait for a rank */
    struct caucus_channel_message content;
};

struct modelled {
    const struct caucus_node_map *nodes;
    const struct caucus_model *model;
    double *free;          /* when a rank has time */
    double *out, *in;      /* and a node's card */
    int32_t *first, *last; /* messages that wait for a rank, plus 1; 0: none */
    struct caucus_event_queue queue;
    struct modelled_message *message;
    int32_t room, unused; /* the first that is not in use, or -1 */
};

static inline int modelled_init(struct modelled *all, const struct caucus_node_map *nodes,
                                const struct caucus_model *model) {
    *all = (struct modelled){.nodes = nodes, .model = model, .unused = -1};
    all->free = caucus_array(nodes->ranks, sizeof(double));
    all->out = caucus_array(nodes->nodes, sizeof(double));
    all->in = caucus_array(nodes->nodes, sizeof(double));
    all->first = caucus_array(nodes->ranks, sizeof(int32_t));
    all->last = caucus_array(nodes->ranks, sizeof(int32_t));
    return all->free && all->out && all->in && all->first && all->last ? CAUCUS_OK
                                                                       : CAUCUS_NO_MEMORY;
}

static inline void modelled_free(struct modelled *all) {
    free(all->free);
    free(all->out);
    free(all->in);
    free(all->first);
    free(all->last);
    free(all->message);
    caucus_event_queue_free(&all->queue);
}

static inline double modelled_later(double a, double b) {
    return a > b ? a : b;
}

static inline enum caucus_distance modelled_distance(const struct modelled *all, int32_t a,
                                                     int32_t b) {
    return caucus_node_of_rank(all->nodes, a) == caucus_node_of_rank(all->nodes, b)
               ? CAUCUS_WITHIN_NODE
               : CAUCUS_BETWEEN_NODES;
}

static inline bool modelled_room(struct modelled *all) {
    if (all->unused >= 0)
        return true;
    int32_t room = 2 * all->room + 64;
    struct modelled_message *message = realloc(all->message, (size_t)room * sizeof *message);
    if (!message)
        return false;
    for (int32_t i = all->room; i < room; i++)
        message[i].next = i + 1 < room ? i + 1 : -1;
    all->unused = all->room;
    all->message = message;
    all->room = room;
    return true;
}

/* from sends when it has time. */
static inline bool modelled_send(struct modelled *all, int32_t from, int32_t to, double bytes,
                                 const struct caucus_channel_message *content) {
    const struct caucus_model *model = all->model;
    enum caucus_distance far = modelled_distance(all, from, to);
    double begin = all->free[from] + model->overhead[far], wire = bytes * model->byte[far];
    double arrival = begin + model->latency[far] + wire;
    if (!modelled_room(all))
        return false;
    if (far == CAUCUS_BETWEEN_NODES) {
        double card = bytes * model->card_byte;
        double *out = &all->out[caucus_node_of_rank(all->nodes, from)];
        double *in = &all->in[caucus_node_of_rank(all->nodes, to)];
        begin = modelled_later(begin, *out);
        *out = begin + card;
        *in = modelled_later(begin + model->latency[far], *in) + card;
        arrival = modelled_later(begin + model->latency[far] + wire, *in);
    }
    all->free[from] = begin + wire;
    int32_t at = all->unused;
    all->unused = all->message[at].next;
    all->message[at] = (struct modelled_message){.from = from, .to = to, .content = *content};
    return caucus_event_push(&all->queue, (struct caucus_queued){.time = arrival, .subject = at});
}

enum { MODELLED_ARRIVES, MODELLED_IS_FREE };

/* When a rank has time for the first message that waits for it. */
static inline bool modelled_wake(struct modelled *all, int32_t rank, double time) {
    return caucus_event_push(&all->queue,
                             (struct caucus_queued){.time = modelled_later(time, all->free[rank]),
                                                    .kind = MODELLED_IS_FREE,
                                                    .subject = rank});
}

static inline bool modelled_arrive(struct modelled *all, int32_t at, double time) {
    int32_t rank = all->message[at].to;
    bool idle = !all->first[rank];
    all->message[at].next = 0;
    *(idle ? &all->first[rank] : &all->message[all->last[rank] - 1].next) = at + 1;
    all->last[rank] = at + 1;
    return !idle || modelled_wake(all, rank, time);
}

/* The message that comes next, when its receiver has taken it; false when there is none, or no
 * memory. What it does then is before modelled_done. */
static inline bool modelled_receive(struct modelled *all, struct modelled_message *message) {
    struct caucus_queued event;
    for (;;) {
        if (!caucus_event_pop(&all->queue, &event))
            return false;
        if (event.kind == MODELLED_IS_FREE)
            break;
        if (!modelled_arrive(all, event.subject, event.time))
            return false;
    }
    *message = all->message[all->first[event.subject] - 1];
    enum caucus_distance far = modelled_distance(all, message->from, message->to);
    all->free[message->to] =
        modelled_later(all->free[message->to], event.time) + all->model->overhead[far];
    return true;
}

/* The rank has done what follows from the message. */
static inline bool modelled_done(struct modelled *all, int32_t rank) {
    int32_t at = all->first[rank] - 1;
    all->first[rank] = all->message[at].next;
    all->message[at].next = all->unused;
    all->unused = at;
    return !all->first[rank] || modelled_wake(all, rank, all->free[rank]);
}

static inline double modelled_end(const struct modelled *all) {
    double end = 0;
    for (int32_t rank = 0; rank < all->nodes->ranks; rank++)
        end = modelled_later(end, all->free[rank]);
    return end;
}

#endif
