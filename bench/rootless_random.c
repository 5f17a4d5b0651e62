/* SPDX-License-Identifier: BSD-3-Clause */
/* A long random run of channels: all ranks cast messages of any size on channels of every order, as
 * fast as there is room, and look at every byte that comes: each message once, whole, in the order
 * of its origin, in causal or total order where asked for. With --threads, so many threads of each
 * rank cast and poll at a time. Prints what is wrong, and the rate.
 *
 *   mpiexec -n 4 build/mpich/bin/rootless_random --casts 1000000 [--seed 1] [--threads 2] */
#include "common/rootless_messages.h"

#include <caucus/channel.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    CHANNELS = 5,
    RANKS = 64,
    THREADS = 16,
    SEGMENT = 2048,
    MEMORY = 20000,
    LONGEST = 60000,
    ROUND = 20000
};

struct header {
    int32_t origin, length;
    int64_t number;
    uint32_t got[RANKS]; /* what its caster had heard; short casts carry but the first two fields */
};

enum { SHORT = offsetof(struct header, got) };

struct user {
    caucus_channel channel;
    int order;
    pthread_mutex_t lock; /* whoever casts numbers its messages */
    int64_t casts;
    _Atomic int64_t got[RANKS]; /* callbacks come one at a time, but casters look on */
    int64_t at[RANKS];          /* bytes of a message that comes in pieces */
    uint64_t history;
};

static struct rootless all;
static int threads = 1;
static atomic_long found; /* what is wrong */
static struct user users[CHANNELS];
static const caucus_channel_options kinds[CHANNELS] = {
    {.order = CAUCUS_ORDER_FIFO},
    {.order = CAUCUS_ORDER_FIFO, .credits = 1, .segment = SEGMENT, .memory = MEMORY},
    {.order = CAUCUS_ORDER_CAUSAL, .credits = 2, .segment = SEGMENT, .memory = MEMORY},
    {.order = CAUCUS_ORDER_TOTAL, .credits = 8, .segment = SEGMENT, .memory = MEMORY},
    {.order = CAUCUS_ORDER_TOTAL, .segment = 64, .memory = 1000},
};

static void wrong(const struct user *user, int origin, const char *what) {
    if (atomic_fetch_add(&found, 1) < 10)
        fprintf(stderr, "rootless_random: rank %d, channel %d, message %lld of rank %d: %s\n",
                all.rank, (int)(user - users), (long long)user->got[origin], origin, what);
}

/* The header is whole in the first piece, unless segments are shorter. */
static void check_header(struct user *user, int origin, const caucus_delivery *delivery) {
    struct header header = {0};
    MPI_Count there =
        delivery->length < (MPI_Count)sizeof header ? delivery->length : (MPI_Count)sizeof header;
    memcpy(&header, delivery->bytes, (size_t)there);
    if (header.origin != origin || header.length != delivery->total)
        wrong(user, origin, "another rank's, or of another length");
    if (header.number != user->got[origin])
        wrong(user, origin, "lost, twice or out of order");
    for (int r = 0; user->order != CAUCUS_ORDER_FIFO && r < all.size; r++)
        if ((MPI_Count)(SHORT + (r + 1) * (int)sizeof(uint32_t)) <= there && r != all.rank &&
            r != origin && header.got[r] > (uint32_t)user->got[r])
            wrong(user, origin, "came before what its caster had heard");
}

static void deliver(void *context, const caucus_delivery *delivery) {
    struct user *user = context;
    int origin = delivery->origin;
    const unsigned char *bytes = delivery->bytes;
    if (delivery->offset == 0)
        check_header(user, origin, delivery);
    if (delivery->offset != user->at[origin])
        wrong(user, origin, "a piece is missing");
    MPI_Count from = delivery->offset < (MPI_Count)sizeof(struct header)
                         ? (MPI_Count)sizeof(struct header) - delivery->offset
                         : 0;
    if (from < delivery->length &&
        memcmp(bytes + from,
               rootless_content(&all, origin, user->got[origin]) + delivery->offset + from,
               (size_t)(delivery->length - from)) != 0)
        wrong(user, origin, "its bytes are not what was cast");
    user->at[origin] += delivery->length;
    if (user->at[origin] < delivery->total)
        return;
    user->at[origin] = 0;
    user->got[origin]++;
    user->history = (user->history ^ (uint64_t)origin) * UINT64_C(1099511628211);
}

static uint64_t draw(void) {
    static atomic_int started;
    static _Thread_local uint64_t state;
    if (!state)
        state = UINT64_C(88172645463325252) + UINT64_C(7919) * (uint64_t)all.rank + all.order +
                UINT64_C(104729) * (uint64_t)atomic_fetch_add(&started, 1);
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state >> 11;
}

/* Most are short. */
static int random_length(void) {
    uint64_t kind = draw() % 64;
    if (kind == 0)
        return SHORT + (int)(draw() % (LONGEST - SHORT));
    return SHORT + (int)(draw() % (kind < 8 ? 4000 : kind < 32 ? 300 : 40));
}

static bool cast(struct user *user) {
    static _Thread_local unsigned char bytes[LONGEST];
    int accepted;
    pthread_mutex_lock(&user->lock);
    struct header header = {.origin = all.rank, .length = random_length(), .number = user->casts};
    for (int r = 0; r < all.size; r++)
        header.got[r] = (uint32_t)user->got[r];
    size_t short_of = sizeof header < (size_t)header.length ? sizeof header : (size_t)header.length;
    memcpy(bytes, &header, short_of);
    memcpy(bytes + short_of, rootless_content(&all, all.rank, user->casts) + short_of,
           (size_t)header.length - short_of);
    caucus_try_cast(user->channel, bytes, header.length, &accepted);
    user->casts += accepted;
    pthread_mutex_unlock(&user->lock);
    return accepted;
}

static void poll_all(void) {
    for (int k = 0; k < CHANNELS; k++)
        caucus_channel_poll(users[k].channel);
}

/* Everybody has everything, in one order if so asked. */
static void check_round(struct user *user) {
    int64_t casts[RANKS];
    uint64_t histories[2] = {user->history, ~user->history};
    MPI_Allgather(&user->casts, 1, MPI_INT64_T, casts, 1, MPI_INT64_T, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, histories, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    for (int r = 0; r < all.size; r++)
        if ((r != all.rank || user->order == CAUCUS_ORDER_TOTAL) && user->got[r] != casts[r])
            wrong(user, r, "not all have come");
    if (user->order == CAUCUS_ORDER_TOTAL && histories[0] != ~histories[1])
        wrong(user, 0, "not all ranks heard the same order");
}

static void *cast_some(void *casts) {
    for (int64_t i = 0; i < *(int64_t *)casts;)
        if (cast(&users[draw() % CHANNELS])) {
            i++;
        } else {
            poll_all();
            sched_yield();
        }
    return NULL;
}

static void cast_all(int64_t casts) {
    pthread_t thread[THREADS];
    int64_t share[THREADS];
    bool runs[THREADS] = {false};
    for (int i = 0; i < threads; i++)
        share[i] = casts / threads + (i < casts % threads);
    for (int i = 1; i < threads; i++)
        runs[i] = pthread_create(&thread[i], NULL, cast_some, &share[i]) == 0;
    cast_some(&share[0]);
    for (int i = 1; i < threads; i++)
        if (runs[i])
            pthread_join(thread[i], NULL);
        else
            cast_some(&share[i]);
}

static void run_round(int64_t casts) {
    MPI_Request barrier;
    int done = 0;
    cast_all(casts);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        poll_all();
        sched_yield();
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < CHANNELS; k++) {
        caucus_channel_quiesce(users[k].channel);
        check_round(&users[k]);
    }
    all.wrong = found;
    MPI_Allreduce(MPI_IN_PLACE, &all.wrong, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
}

static void open_all(void) {
    for (int k = 0; k < CHANNELS; k++) {
        caucus_channel_options options = kinds[k];
        options.deliver = deliver;
        options.context = &users[k];
        users[k].order = options.order;
        pthread_mutex_init(&users[k].lock, NULL);
        caucus_channel_open(MPI_COMM_WORLD, &options, &users[k].channel);
    }
}

static int64_t casts_asked(int argc, char **argv) {
    int64_t casts = 100000;
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--casts") == 0)
            casts = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            all.order = (uint64_t)atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
    threads = threads < 1 ? 1 : threads > THREADS ? THREADS : threads;
    return casts;
}

int main(int argc, char **argv) {
    int64_t wanted = casts_asked(argc, argv), made = 0;
    int level = threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, provided;
    uint64_t seed = all.order;
    MPI_Init_thread(&argc, &argv, level, &provided);
    if (!rootless_init(&all) || all.size > RANKS || provided < level) {
        fprintf(stderr,
                "rootless_random: it needs memory, at most %d ranks, and for threads an MPI that "
                "allows them\n",
                RANKS);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    all.order = seed;
    double begin = rootless_now(), told = begin;
    open_all();
    while (made < wanted && !all.wrong) {
        int64_t round = wanted - made < ROUND ? wanted - made : ROUND;
        run_round(round / all.size + (all.rank < round % all.size));
        made += round;
        if (all.rank == 0 && rootless_now() - told > 10) {
            told = rootless_now();
            fprintf(stderr, "%lld casts, %.4g a second\n", (long long)made,
                    (double)made / (told - begin));
        }
    }
    for (int k = 0; k < CHANNELS; k++)
        caucus_channel_close(&users[k].channel);
    if (all.rank == 0)
        printf("%lld casts of %d ranks and %d threads on %d channels, %ld wrong, %.4g casts a "
               "second\n",
               (long long)made, all.size, threads, CHANNELS, all.wrong,
               (double)made / (rootless_now() - begin));
    int exit_code = all.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
    rootless_free(&all);
    MPI_Finalize();
    return exit_code;
}
