/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a simulation, shared by its files. All times are in seconds from the start. Each
 * file uses those above it alone:
 *
 *   common.c   room, events to come, events to tell of
 *   messages.c which send meets which receive
 *   flags.c    signals and who awaits them
 *   stuck.c    what to say when ranks wait for ever
 *   simulate.c ranks: steps, processors, what is complete; the way of a message: port, card, wire,
 *              card, port */
#ifndef CAUCUS_STUDY_SIMULATE_INTERNAL_H
#define CAUCUS_STUDY_SIMULATE_INTERNAL_H

#include "plan/schedule/event_queue.h"
#include "study/simulate/simulate.h"

#include <stddef.h>

enum event_kind {
    EVENT_READY,    /* a message that has waited for its receive may leave */
    EVENT_DEPART,   /* the first message of a rank's send queue leaves */
    EVENT_ARRIVE,   /* the first byte of a message is at the receiver's node */
    EVENT_COMPLETE, /* all of it is there, and its receive was posted */
    EVENT_FLAG,     /* a flag is seen with a new value */
    EVENT_LEAVE     /* a rank leaves an await */
};

enum { NOBODY = -1 };

/* A send and a receive that meet; either may come first. */
struct message {
    int64_t bytes;
    int64_t order;        /* of the send among those of all ranks */
    double issued, ready; /* the send: when its rank turned to it, when it may leave */
    double finish;        /* its last byte leaves */
    double posted;        /* the receive; below 0: not yet */
    double arrived;       /* below 0: not yet */
    int32_t source, target;
    int32_t next_of_pair; /* both are lists that end with NOBODY */
    int32_t next_to_send;
    bool sent; /* the send was issued */
};

/* Sends that wait for their receives, or receives that wait for their sends, of a pair of ranks. */
struct pair {
    uint64_t key; /* 0: free */
    int32_t first, last;
};

struct rank_state {
    int64_t step, next; /* the operations of the open step are step to next */
    int64_t pending;    /* of its operations */
    double processor;   /* when it is free */
    double step_end;    /* as far as it is known */
    int32_t to_send, last_to_send;
    uint32_t departure : 24; /* the number of the event that counts, its value */
};

struct node_state {
    double card[2]; /* out, in: when all bytes so far are through */
    int64_t card_bytes[2];
    int64_t first_flag;
};

/* A rank in an await, and its place in the list of each flag that is not there yet. */
struct waiter {
    int32_t rank, missing;
    double begin, end;
};

struct waiting {
    int32_t waiter, value, next;
};

struct simulator {
    int32_t ranks, done;
    const struct caucus_schedule *schedules;
    const struct caucus_node_map *nodes;
    const struct caucus_model *model;
    void (*on_event)(void *context, const struct caucus_simulated_event *event);
    void *context;
    struct caucus_simulation *result;
    struct caucus_event_queue queue;
    struct rank_state *rank;
    struct node_state *node;
    double *port;  /* [direction][rank][port]: when it is free */
    int64_t sends; /* that were issued */
    struct message *messages;
    int32_t message_room, message_count, free_message;
    struct pair *pairs;
    int64_t pair_room, pair_count;
    struct waiter *waiters;
    int32_t waiter_room, waiter_count, free_waiter;
    struct waiting *waiting;
    int32_t waiting_room, waiting_count, free_waiting;
    int32_t *flag_value, *flag_list;
    int status;
};

static inline int32_t caucus_simulated_node(const struct simulator *simulator, int32_t rank) {
    return simulator->nodes ? caucus_node_of_rank(simulator->nodes, rank) : rank;
}

static inline enum caucus_distance caucus_simulated_distance(const struct simulator *simulator,
                                                             int32_t a, int32_t b) {
    return caucus_simulated_node(simulator, a) == caucus_simulated_node(simulator, b)
               ? CAUCUS_WITHIN_NODE
               : CAUCUS_BETWEEN_NODES;
}

static inline double caucus_later(double a, double b) {
    return a > b ? a : b;
}

/* The array, perhaps elsewhere, with room for one entry more than count; NULL when out of memory,
 * with status set. */
void *caucus_simulated_room(struct simulator *simulator, void *array, size_t size, int32_t count,
                            int32_t *room);
void caucus_simulated_push(struct simulator *simulator, enum event_kind kind, double time,
                           int32_t subject, int32_t value);
void caucus_simulated_tell(struct simulator *simulator, int32_t rank, int32_t peer, int kind,
                           double begin, double end, int64_t bytes);

/* Each gives the message that both sides meet in; NOBODY on failure, with status set. */
int32_t caucus_simulated_send(struct simulator *simulator, int32_t source, int32_t target,
                              int64_t bytes);
int32_t caucus_simulated_receive(struct simulator *simulator, int32_t source, int32_t target,
                                 int64_t bytes);
void caucus_simulated_forget(struct simulator *simulator, int32_t message);
/* Whether a receive of target waits for a send of source. */
bool caucus_simulated_awaits_send(const struct simulator *simulator, int32_t source,
                                  int32_t target);

int caucus_simulated_flags_init(struct simulator *simulator);
void caucus_simulated_raise(struct simulator *simulator, int32_t flag, int32_t value, double now);
/* A rank leaves its await at *end; returns the rank. */
int32_t caucus_simulated_leave(struct simulator *simulator, int32_t waiter, double *end);
void caucus_simulated_await(struct simulator *simulator, int32_t rank,
                            const struct caucus_operation *operation, double begin, double now);

int caucus_simulated_check(const struct simulator *simulator);
int caucus_simulated_stuck(const struct simulator *simulator);

#endif
