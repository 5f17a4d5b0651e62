/* SPDX-License-Identifier: BSD-3-Clause */
/* Storms of casts on channels, which go on while the program does something else: each message
 * must come once, whole, in the order of its origin, and in one order where asked for. */
#ifndef TESTS_RANDOM_CHANNELS_H
#define TESTS_RANDOM_CHANNELS_H

#include "state.h"

enum { CAST_WORDS = 700, SEGMENT = 1024, OPEN_STORMS = 64 };

struct storm {
    caucus_channel channel;
    const struct thing *on;
    uint64_t seed, history;
    int number, order, left;     /* casts of this rank to come */
    int cast[MOST], heard[MOST]; /* by ranks of the communicator: what there is to hear */
};

static struct storm *storms[OPEN_STORMS];

static int cast_length(const struct storm *s, int origin, int number) {
    uint64_t drawn = mixed_with(s->seed, (uint64_t)(origin * 10000 + number));
    return 1 + (int)((drawn >> 8) % (drawn % 16 ? 12 : CAST_WORDS - 1));
}

static uint64_t cast_word(const struct storm *s, int origin, int number, int i) {
    return mixed_with(s->seed + (uint64_t)origin, (uint64_t)(number * 1024 + i));
}

static void hear(void *context, const caucus_delivery *delivery) {
    struct storm *s = context;
    int origin = delivery->origin, number = s->heard[origin]++;
    MPI_Count length = 8 * (MPI_Count)cast_length(s, origin, number);
    uint64_t words[CAST_WORDS];
    if (delivery->length != length || delivery->total != length || delivery->offset)
        wrong(my.action, "channel %d: cast %d of rank %d has %lld bytes; expected %lld", s->number,
              number, origin, (long long)delivery->length, (long long)length);
    memcpy(words, delivery->bytes, (size_t)length);
    for (int i = 0; i < (int)(length / 8); i++)
        if (words[i] != cast_word(s, origin, number, i))
            wrong(my.action, "channel %d: cast %d of rank %d: word %d is %016llx; expected %016llx",
                  s->number, number, origin, i, (unsigned long long)words[i],
                  (unsigned long long)cast_word(s, origin, number, i));
    s->history = mixed_with(s->history, (uint64_t)origin);
}

/* As many as there is room for. */
static void cast_some(struct storm *s) {
    int accepted = 1, me = s->on->id;
    while (s->left > 0 && accepted) {
        uint64_t words[CAST_WORDS];
        int number = s->cast[me] - s->left, length = cast_length(s, me, number);
        for (int i = 0; i < length; i++)
            words[i] = cast_word(s, me, number, i);
        MUST(caucus_try_cast(s->channel, words, 8 * (MPI_Count)length, &accepted));
        s->left -= accepted;
    }
}

static void weather(void) {
    for (int i = 0; i < OPEN_STORMS; i++)
        if (storms[i]) {
            cast_some(storms[i]);
            MUST(caucus_channel_poll(storms[i]->channel));
        }
}

static void run_open(const struct action *a, const struct thing *on) {
    static const int orders[] = {CAUCUS_ORDER_FIFO, CAUCUS_ORDER_CAUSAL, CAUCUS_ORDER_TOTAL};
    uint64_t draws = a->seed;
    struct storm *s = calloc(1, sizeof *s);
    s->order = orders[below(&draws, 3)];
    s->on = on;
    s->seed = mixed(draws);
    s->number = a->made[0];
    caucus_channel_options options = {.deliver = hear,
                                      .context = s,
                                      .order = s->order,
                                      .credits = 1 + below(&draws, 20),
                                      .segment = SEGMENT};
    meet(on->comm);
    MUST(caucus_channel_open(on->comm, &options, &s->channel));
    my.thing[a->made[0]].storm = s;
    for (int i = 0; i < OPEN_STORMS; i++)
        if (!storms[i]) {
            storms[i] = s;
            return;
        }
    wrong(my.action, "the test has too many channels open");
}

static void run_storm(const struct action *a, struct storm *s) {
    for (int r = 0; r < s->on->size; r++)
        s->cast[r] += (int)(mixed_with(a->seed, (uint64_t)r) % 40);
    s->left += (int)(mixed_with(a->seed, (uint64_t)s->on->id) % 40);
    cast_some(s);
}

static void run_quiet(const struct action *a, struct storm *s) {
    int quiet = 0;
    while (s->left > 0)
        breathe();
    if (a->seed & 1)
        MUST(caucus_channel_quiesce(s->channel));
    for (; !(a->seed & 1) && !quiet; breathe())
        MUST(caucus_channel_try_quiesce(s->channel, &quiet));
    for (int r = 0; r < s->on->size; r++) {
        int expected = r == s->on->id && s->order != CAUCUS_ORDER_TOTAL ? 0 : s->cast[r];
        bool last = a->kind == CHANNEL_CLOSE; /* else others may have gone on to the next storm */
        if (s->heard[r] < expected || (last && s->heard[r] != expected))
            wrong(my.action, "channel %d: %d casts of rank %d were heard; expected %d", s->number,
                  s->heard[r], r, expected);
    }
}

static void run_close(const struct action *a, struct storm *s) {
    uint64_t most[2];
    MPI_Request request;
    run_quiet(a, s);
    uint64_t both[2] = {s->history, ~s->history};
    if (s->order == CAUCUS_ORDER_TOTAL) {
        MUST(MPI_Iallreduce(both, most, 2, MPI_UINT64_T, MPI_MAX, s->on->comm, &request));
        wait_native(&request);
        if (most[0] != ~most[1])
            wrong(my.action, "channel %d: not all ranks heard the same order", s->number);
    }
    for (int i = 0; i < OPEN_STORMS; i++)
        if (storms[i] == s)
            storms[i] = NULL;
    MUST(caucus_channel_close(&s->channel));
    free(s);
}

#endif
