/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways for any rank to send a message to all others: channels, a loop of sends by the caster, a
 * coordinator that relays by MPI_Bcast, and MPI_Bcast where everybody knows who casts next. */
#ifndef CAUCUS_BENCH_ROOTLESS_WAYS_H
#define CAUCUS_BENCH_ROOTLESS_WAYS_H

#ifdef CAUCUS_SIMULATED
#include "../simulated/anybody.h"
#else
#include "rootless_inbox.h"
#endif

#include <caucus/channel.h>
#include <caucus/error.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

enum { ROOTLESS_WINDOW = 4 }; /* messages on their way */

struct rootless_way {
    const char *name;
    bool collective; /* all take part in each cast: cast is not used, next is */
    bool any_casts;  /* next asks nobody who casts */
    bool hears_own;  /* own messages come back */
    bool total;      /* everybody hears all in one order */
    int order;       /* of a channel */
    bool coalesces;  /* of a channel */
    void (*begin)(struct rootless *all, const struct rootless_way *way);
    void (*end)(void);
    bool (*cast)(struct rootless *all, long number); /* false: no room */
    void (*poll)(struct rootless *all);
    /* The next message, whose origin is named if it is known; send: this rank casts one now. */
    void (*next)(struct rootless *all, int origin, bool send, long number);
};

static inline void rootless_wait(struct rootless *all, const struct rootless_way *way) {
    long before = all->heard;
    way->poll(all);
    if (all->heard == before && all->yields)
        sched_yield();
}

/* Channels. */

static struct {
    caucus_channel channel;
    bool hears_own;
} rootless_channel;

static inline void rootless_deliver(void *context, const caucus_delivery *delivery) {
    rootless_hear(context, delivery->bytes, (long)delivery->total);
}

/* Errors abort by themselves, unless somebody has changed that. */
static inline void rootless_check(int code) {
    if (code != MPI_SUCCESS) {
        fprintf(stderr, "a channel failed: %s\n", caucus_error_text());
        MPI_Abort(MPI_COMM_WORLD, code);
    }
}

/* Messages as long as a segment never travel together. */
static inline void rootless_channel_begin(struct rootless *all, const struct rootless_way *way) {
    caucus_channel_options options = {
        .deliver = rootless_deliver, .context = all, .order = way->order, .credits = all->credits};
    if (!way->coalesces)
        options.segment = all->bytes;
    rootless_channel.hears_own = way->hears_own;
    rootless_check(caucus_channel_open(MPI_COMM_WORLD, &options, &rootless_channel.channel));
}

static inline void rootless_channel_end(void) {
    rootless_check(caucus_channel_close(&rootless_channel.channel));
}

static inline bool rootless_channel_cast(struct rootless *all, long number) {
    rootless_fill(all, number);
    rootless_check(caucus_cast(rootless_channel.channel, all->message, all->bytes));
    if (!rootless_channel.hears_own)
        rootless_count(all, all->rank);
    return true;
}

static inline void rootless_channel_poll(struct rootless *all) {
    (void)all;
    rootless_check(caucus_channel_poll(rootless_channel.channel));
}

/* A loop of sends. */

static struct {
    MPI_Comm comm;
    unsigned char *sent[ROOTLESS_WINDOW];
    MPI_Request *send[ROOTLESS_WINDOW];
} rootless_naive;

static inline void rootless_naive_begin(struct rootless *all, const struct rootless_way *way) {
    (void)way;
    MPI_Comm_dup(MPI_COMM_WORLD, &rootless_naive.comm);
    rootless_inbox_open(all, rootless_naive.comm);
    for (int i = 0; i < ROOTLESS_WINDOW; i++) {
        rootless_naive.sent[i] = malloc((size_t)all->bytes);
        rootless_naive.send[i] = malloc((size_t)all->size * sizeof(MPI_Request));
        for (int to = 0; to < all->size; to++)
            rootless_naive.send[i][to] = MPI_REQUEST_NULL;
    }
}

static inline void rootless_naive_end(void) {
    int size;
    MPI_Comm_size(rootless_naive.comm, &size);
    for (int i = 0; i < ROOTLESS_WINDOW; i++) {
        MPI_Waitall(size, rootless_naive.send[i], MPI_STATUSES_IGNORE);
        free(rootless_naive.sent[i]);
        free(rootless_naive.send[i]);
    }
    rootless_inbox_close();
    MPI_Comm_free(&rootless_naive.comm);
}

static inline bool rootless_naive_cast(struct rootless *all, long number) {
    int done, slot = (int)(number % ROOTLESS_WINDOW);
    MPI_Testall(all->size, rootless_naive.send[slot], &done, MPI_STATUSES_IGNORE);
    if (!done)
        return false;
    rootless_fill(all, number);
    memcpy(rootless_naive.sent[slot], all->message, (size_t)all->bytes);
    for (int i = 1; i < all->size; i++) {
        int to = (all->rank + i) % all->size;
        MPI_Isend(rootless_naive.sent[slot], (int)all->bytes, MPI_BYTE, to, 0, rootless_naive.comm,
                  &rootless_naive.send[slot][to]);
    }
    rootless_count(all, all->rank);
    return true;
}

/* A coordinator, rank 0: it takes messages by turns, and broadcasts them. */

static struct {
    MPI_Comm up, down;
    bool receives;
    unsigned char *sent[ROOTLESS_WINDOW];
    MPI_Request send[ROOTLESS_WINDOW];
} rootless_relay;

static inline void rootless_relay_begin(struct rootless *all, const struct rootless_way *way) {
    (void)way;
    MPI_Comm_dup(MPI_COMM_WORLD, &rootless_relay.up);
    MPI_Comm_dup(MPI_COMM_WORLD, &rootless_relay.down);
    rootless_relay.receives = all->rank == 0;
    if (rootless_relay.receives)
        rootless_inbox_open(all, rootless_relay.up);
    for (int i = 0; i < ROOTLESS_WINDOW; i++) {
        rootless_relay.send[i] = MPI_REQUEST_NULL;
        rootless_relay.sent[i] = malloc((size_t)all->bytes);
    }
}

static inline void rootless_relay_end(void) {
    MPI_Waitall(ROOTLESS_WINDOW, rootless_relay.send, MPI_STATUSES_IGNORE);
    for (int i = 0; i < ROOTLESS_WINDOW; i++)
        free(rootless_relay.sent[i]);
    if (rootless_relay.receives)
        rootless_inbox_close();
    MPI_Comm_free(&rootless_relay.up);
    MPI_Comm_free(&rootless_relay.down);
}

/* Hands a message to the coordinator, unless too many are on their way. */
static inline bool rootless_relay_cast(struct rootless *all, long number) {
    int done, slot = (int)(number % ROOTLESS_WINDOW);
    MPI_Test(&rootless_relay.send[slot], &done, MPI_STATUS_IGNORE);
    if (!done)
        return false;
    rootless_fill(all, number);
    memcpy(rootless_relay.sent[slot], all->message, (size_t)all->bytes);
    MPI_Isend(rootless_relay.sent[slot], (int)all->bytes, MPI_BYTE, 0, 0, rootless_relay.up,
              &rootless_relay.send[slot]);
    return true;
}

static inline void rootless_relay_next(struct rootless *all, int origin, bool send, long number) {
    if (all->rank == 0 && send)
        rootless_fill(all, number);
    else if (all->rank == 0)
        rootless_inbox_take(all);
    (void)origin;
    MPI_Bcast(all->message, (int)all->bytes, MPI_BYTE, 0, rootless_relay.down);
    rootless_hear(all, all->message, all->bytes);
}

/* MPI_Bcast. */

static inline void rootless_bcast_next(struct rootless *all, int origin, bool send, long number) {
    if (send)
        rootless_fill(all, number);
    MPI_Bcast(all->message, (int)all->bytes, MPI_BYTE, origin, MPI_COMM_WORLD);
    rootless_hear(all, all->message, all->bytes);
}

static const struct rootless_way rootless_ways[] = {
    {.name = "MPI_Bcast, known root",
     .collective = true,
     .hears_own = true,
     .total = true,
     .next = rootless_bcast_next},
    {.name = "coordinator",
     .collective = true,
     .any_casts = true,
     .hears_own = true,
     .total = true,
     .begin = rootless_relay_begin,
     .end = rootless_relay_end,
     .cast = rootless_relay_cast,
     .next = rootless_relay_next},
    {.name = "loop of sends",
     .begin = rootless_naive_begin,
     .end = rootless_naive_end,
     .cast = rootless_naive_cast,
     .poll = rootless_inbox_hear},
    {.name = "channel, each alone",
     .begin = rootless_channel_begin,
     .end = rootless_channel_end,
     .cast = rootless_channel_cast,
     .poll = rootless_channel_poll},
    {.name = "channel",
     .coalesces = true,
     .begin = rootless_channel_begin,
     .end = rootless_channel_end,
     .cast = rootless_channel_cast,
     .poll = rootless_channel_poll},
    {.name = "total order, each alone",
     .hears_own = true,
     .total = true,
     .order = CAUCUS_ORDER_TOTAL,
     .begin = rootless_channel_begin,
     .end = rootless_channel_end,
     .cast = rootless_channel_cast,
     .poll = rootless_channel_poll},
    {.name = "total order",
     .hears_own = true,
     .total = true,
     .order = CAUCUS_ORDER_TOTAL,
     .coalesces = true,
     .begin = rootless_channel_begin,
     .end = rootless_channel_end,
     .cast = rootless_channel_cast,
     .poll = rootless_channel_poll},
};

enum { ROOTLESS_WAYS = sizeof rootless_ways / sizeof *rootless_ways };

#endif
