/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads cast on one channel at a time, while others receive, poll, or a thread of the
 * channel does all that: everything comes once, in the order of each thread. A channel cannot be
 * closed while somebody casts on it.
 *
 * run: ranks=1,2,4
 * run: ranks=2 args=single
 * run: ranks=2 args=100 env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=3 args=300 full */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { CASTERS = 3, MOST_RANKS = 8, SEGMENT = 256, LONGEST = 2000 };

struct message {
    int thread, number;
};

static int casts = 40;
static caucus_channel channel;
static int got[MOST_RANKS][CASTERS]; /* under the channel's lock, or by the one that receives */
static atomic_int total;
static atomic_bool receiving, done;

static void check_message(const caucus_delivery *delivery) {
    struct message message;
    const unsigned char *bytes = delivery->bytes;
    memcpy(&message, bytes, sizeof message);
    CHECK(message.thread >= 0 && message.thread < CASTERS, "thread %d", message.thread);
    CHECK(message.number == got[delivery->origin][message.thread]++, "message %d of thread %d",
          message.number, message.thread);
    for (MPI_Count i = sizeof message; i < delivery->length; i++)
        CHECK(bytes[i] == (unsigned char)(message.number + i), "byte %lld", (long long)i);
    total++;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context;
    check_message(delivery);
}

static void *cast_many(void *given) {
    unsigned char bytes[LONGEST];
    struct message message = {.thread = *(int *)given};
    unsigned seed = (unsigned)(message.thread + 7 * world_rank());
    for (; message.number < casts; message.number++) {
        bool tries = rand_r(&seed) % 3 == 0;
        size_t length = rand_r(&seed) % 4 ? sizeof message : (size_t)rand_r(&seed) % LONGEST;
        length = length < sizeof message ? sizeof message : length;
        memcpy(bytes, &message, sizeof message);
        for (size_t i = sizeof message; i < length; i++)
            bytes[i] = (unsigned char)((size_t)message.number + i);
        for (int accepted = !tries; tries && !accepted; sched_yield())
            CHECK_MPI(caucus_try_cast(channel, bytes, (MPI_Count)length, &accepted));
        if (!tries)
            CHECK_MPI(caucus_cast(channel, bytes, (MPI_Count)length));
    }
    return NULL;
}

static void *receive_all(void *given) {
    caucus_delivery delivery;
    (void)given;
    for (int received; !done; sched_yield()) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        receiving = true; /* from now on casts wait for this thread */
        if (received)
            check_message(&delivery);
    }
    return NULL;
}

static void join(pthread_t thread) {
    CHECK(!pthread_join(thread, NULL), "no end");
}

static void start(pthread_t *thread, void *(*function)(void *), void *argument) {
    CHECK(!pthread_create(thread, NULL, function, argument), "no thread");
}

static void check_storm(int order, bool receives, bool progress) {
    static int numbers[CASTERS] = {0, 1, 2};
    caucus_channel_options options = {.deliver = receives ? NULL : deliver,
                                      .order = order,
                                      .credits = 2,
                                      .segment = SEGMENT,
                                      .inbox = 1000,
                                      .progress = progress};
    pthread_t threads[CASTERS], receiver;
    caucus_channel_counters counters;
    int all = casts * CASTERS * (order == CAUCUS_ORDER_TOTAL ? world_size() : world_size() - 1);
    memset(got, 0, sizeof got);
    total = 0;
    receiving = done = false;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (receives)
        start(&receiver, receive_all, NULL);
    while (receives && !receiving)
        sched_yield();
    for (int i = 0; i < CASTERS; i++)
        start(&threads[i], cast_many, &numbers[i]);
    while (total < all) {
        CHECK_MPI(caucus_channel_statistics(channel, &counters));
        if (!progress)
            CHECK_MPI(caucus_channel_poll(channel));
        sched_yield();
    }
    for (int i = 0; i < CASTERS; i++)
        join(threads[i]);
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK(total == all, "%d messages of %d", (int)total, all);
    CHECK_MPI(caucus_channel_statistics(channel, &counters));
    CHECK(counters.casts == casts * CASTERS && counters.deliveries == all, "%lld casts",
          (long long)counters.casts);
    done = true;
    if (receives)
        join(receiver);
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Nobody but the channel's threads does anything. */
static void check_progress(void) {
    caucus_channel_options options = {.deliver = deliver, .progress = 1};
    const struct timespec nap = {.tv_nsec = 1000000};
    struct message message = {.thread = 0};
    memset(got, 0, sizeof got);
    total = 0;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (; message.number < casts; message.number++)
        CHECK_MPI(caucus_cast(channel, &message, sizeof message));
    while (total < casts * (world_size() - 1))
        nanosleep(&nap, NULL);
    CHECK_MPI(caucus_channel_close(&channel));
}

static atomic_int stuck_casts;

static void *cast_until_told(void *given) {
    (void)given;
    for (struct message message = {.thread = 0}; !done; message.number++, stuck_casts++)
        CHECK_MPI(caucus_cast(channel, &message, sizeof message));
    return NULL;
}

/* Rank 0 casts, and gets stuck as the others do not poll. */
static void check_close(void) {
    caucus_channel_options options = {.deliver = deliver, .credits = 1};
    const struct timespec nap = {.tv_nsec = 20000000};
    pthread_t caster;
    memset(got, 0, sizeof got);
    done = false;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (world_rank() == 0 && world_size() > 1) {
        start(&caster, cast_until_told, NULL);
        for (int before = -1; before != stuck_casts || !before;) {
            before = stuck_casts;
            nanosleep(&nap, NULL);
        }
        int code = caucus_channel_close(&channel);
        CHECK(code == MPI_ERR_ARG && strstr(caucus_error_text(), "active: 1"), "%d: %s", code,
              caucus_error_text());
        done = true;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0) /* until it is out of its cast */
        CHECK_MPI(caucus_channel_close(&channel));
    else if (world_size() > 1)
        join(caster);
    if (channel)
        CHECK_MPI(caucus_channel_close(&channel));
}

/* Without threads in MPI there is no thread of a channel either. */
static void check_level(int provided) {
    caucus_channel_options options = {.deliver = deliver, .progress = 1};
    int code = provided < MPI_THREAD_MULTIPLE
                   ? caucus_channel_open(MPI_COMM_WORLD, &options, &channel)
                   : MPI_ERR_UNSUPPORTED_OPERATION;
    CHECK(code == MPI_ERR_UNSUPPORTED_OPERATION, "it returned %d", code);
}

static void use_threads(void) {
    check_storm(CAUCUS_ORDER_FIFO, false, false);
    check_storm(CAUCUS_ORDER_TOTAL, false, true);
    check_storm(CAUCUS_ORDER_CAUSAL, true, false);
    check_storm(CAUCUS_ORDER_FIFO, true, true);
    check_progress();
    check_close();
}

int main(int argc, char **argv) {
    int provided;
    bool single = argc > 1 && !strcmp(argv[1], "single");
    MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
    return_errors(MPI_COMM_WORLD);
    if (argc > 1 && !single)
        casts = atoi(argv[1]);
    check_level(provided);
    if (!single && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    if (!single)
        use_threads();
    MPI_Finalize();
    return 0;
}
