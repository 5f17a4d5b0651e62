/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks wait on different channels at a time, or in a collective: whoever waits moves all channels
 * on, so that others get what they wait for. Callbacks run in calls on their own channel alone.
 *
 * run: ranks=2,3,4 env=CAUCUS_TIMEOUT=20
 * run: ranks=3 args=multiple env=CAUCUS_TIMEOUT=20 */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { CHANNELS = 2, MANY = 200, LONG = 5000 };

static caucus_channel channel[CHANNELS];
static int inside = -1, delivered[CHANNELS]; /* the channel that this rank is in a call on */

static void deliver(void *context, const caucus_delivery *delivery) {
    const int *number = context;
    (void)delivery;
    CHECK(inside == *number, "channel %d calls back in a call on %d", *number, inside);
    delivered[*number]++;
}

#define ON(i, call) (inside = (i), CHECK_CALL(call), inside = -1)
#define CHECK_CALL(call) check_call((call), #call)

static void check_call(int code, const char *call) {
    CHECK(code == MPI_SUCCESS, "%s returned %d: %s", call, code, caucus_error_text());
}

static void open_channels(int order, bool by_callback) {
    static int number[CHANNELS];
    for (int i = 0; i < CHANNELS; i++) {
        number[i] = i;
        delivered[i] = 0;
        caucus_channel_options options = {.deliver = by_callback ? deliver : NULL,
                                          .context = &number[i],
                                          .order = order,
                                          .credits = 4,
                                          .segment = 2000};
        CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel[i]));
    }
}

static void close_channels(void) {
    for (int i = 0; i < CHANNELS; i++)
        ON(i, caucus_channel_close(&channel[i]));
}

/* Rank 0, which gives turns, is in a call on the second channel, or in a collective, when the last
 * rank casts on the first. */
static void check_turns(int order, bool collective) {
    static const char bytes[LONG];
    int one = 1, all = 0;
    bool casts = world_rank() == world_size() - 1;
    open_channels(order, true);
    if (casts)
        ON(0, caucus_cast(channel[0], bytes, LONG));
    if (collective)
        CHECK_CALL(caucus_allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(!collective || all == world_size(), "%d", all);
    ON(1, caucus_channel_quiesce(channel[1]));
    CHECK(!delivered[0] || casts, "%d messages", delivered[0]);
    ON(0, caucus_channel_quiesce(channel[0]));
    CHECK(delivered[0] == (!casts || order == CAUCUS_ORDER_TOTAL), "%d messages", delivered[0]);
    close_channels();
}

static int receive_all(int i) {
    caucus_delivery delivery;
    for (int count = 0, received;; count++) {
        ON(i, caucus_channel_try_recv(channel[i], &delivery, &received));
        if (!received)
            return count;
    }
}

/* Half of the ranks cast on the one channel first, the others on the other one: what comes on the
 * channel that a rank does not use goes to its inbox. */
static void check_inboxes(int order) {
    int first = world_rank() % CHANNELS, got = 0, quiet[CHANNELS] = {0};
    open_channels(order, false);
    for (int turn = 0; turn < CHANNELS; turn++) {
        int i = (first + turn) % CHANNELS;
        for (int casts = 0; casts < MANY; casts++)
            ON(i, caucus_cast(channel[i], "abc", 3));
    }
    while (!quiet[0] || !quiet[1])
        for (int i = 0; i < CHANNELS; i++) {
            got += receive_all(i);
            if (!quiet[i])
                ON(i, caucus_channel_try_quiesce(channel[i], &quiet[i]));
        }
    int casters = world_size() - (order != CAUCUS_ORDER_TOTAL);
    CHECK(got == CHANNELS * MANY * casters, "%d messages", got);
    close_channels();
}

/* One thread of a rank uses one channel to its end, while others move it on from theirs. */
static void *use(void *which) {
    caucus_channel own = channel[*(const int *)which];
    caucus_delivery delivery;
    int got = 0, received, quiet = 0;
    for (int casts = 0; casts < MANY; casts++)
        CHECK_CALL(caucus_cast(own, "abc", 3));
    while (!quiet) {
        CHECK_CALL(caucus_channel_try_recv(own, &delivery, &received));
        got += received;
        if (!received)
            CHECK_CALL(caucus_channel_try_quiesce(own, &quiet));
    }
    CHECK(got == MANY * (world_size() - 1), "%d messages", got);
    CHECK_CALL(caucus_channel_close(&own));
    return NULL;
}

static void check_threads(void) {
    int number[CHANNELS];
    pthread_t thread[CHANNELS];
    for (int round = 0; round < 5; round++) {
        open_channels(CAUCUS_ORDER_FIFO, false);
        for (int i = 0; i < CHANNELS; i++) {
            number[i] = i;
            CHECK(!pthread_create(&thread[i], NULL, use, &number[i]), "no thread");
        }
        for (int i = 0; i < CHANNELS; i++)
            pthread_join(thread[i], NULL);
    }
}

int main(int argc, char **argv) {
    int provided;
    bool threads = argc > 1;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    return_errors(MPI_COMM_WORLD);
    check_turns(CAUCUS_ORDER_FIFO, false);
    check_turns(CAUCUS_ORDER_TOTAL, true);
    check_inboxes(CAUCUS_ORDER_FIFO);
    check_inboxes(CAUCUS_ORDER_TOTAL);
    if (threads)
        check_threads();
    MPI_Finalize();
    return 0;
}
