/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, waits on a channel end with words that name the ranks that are waited for;
 * the channel has failed then and can be freed, and MPI goes on.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=0.5
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_NODES=2x2 */
#include "check.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
}

static void expect(int code, const char *words) {
    CHECK(code == MPI_ERR_OTHER && strstr(caucus_error_text(), "after 0.5 seconds") &&
              strstr(caucus_error_text(), words),
          "%d: '%s' lacks '%s'", code, caucus_error_text(), words);
}

/* Opening has the same limit: all come to it together, however long the check before took each. */
static caucus_channel open_with(const caucus_channel_options *options) {
    caucus_channel channel;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, options, &channel));
    return channel;
}

static caucus_channel open_channel(int order) {
    caucus_channel_options options = {
        .deliver = deliver, .order = order, .credits = 1, .segment = 100000};
    return open_with(&options);
}

/* All calls tell again why. */
static void check_failed_channel(caucus_channel *channel, const char *words) {
    int flag;
    expect(caucus_cast(*channel, "", 0), words);
    expect(caucus_try_cast(*channel, "", 0, &flag), words);
    expect(caucus_channel_poll(*channel), words);
    expect(caucus_channel_quiesce(*channel), words);
    CHECK_MPI(caucus_channel_close(channel));
    CHECK(*channel == CAUCUS_CHANNEL_NULL, "it is open");
}

static const char *name_of(int rank, const char *text) {
    static char words[100];
    snprintf(words, sizeof words, "rank %d has %s", rank, text);
    return words;
}

/* Rank 0 casts, the last rank never polls; of two ranks, or if it is next to rank 0, it is named.
 */
static void check_cast(void) {
    static char bytes[100000];
    int last = world_size() - 1, code = MPI_SUCCESS;
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    const char *words = last < 3 ? name_of(last, "made no room") : "made no room";
    for (int casts = 0; world_rank() == 0 && code == MPI_SUCCESS; casts++) {
        code = caucus_cast(channel, bytes, sizeof bytes);
        CHECK(casts < 10, "%d casts had room", casts);
    }
    if (world_rank() == 0)
        expect(code, words);
    else if (world_rank() < last) /* forwards, and waits for what does not come */
        expect(caucus_channel_quiesce(channel), "rank");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        check_failed_channel(&channel, words);
    else if (world_rank() < last)
        CHECK_MPI(caucus_channel_close(&channel));
    else
        expect(caucus_channel_close(&channel), "rank");
    if (channel)
        CHECK_MPI(caucus_channel_close(&channel));
}

/* One does not quiesce, or close; the others learn who. */
static void check_rest(bool closes) {
    int last = world_size() - 1;
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    if (world_rank() < last) {
        const char *words = world_rank() ? name_of(0, "not told that all is quiet")
                            : last < 3   ? name_of(last, "not said that it waits for quiet")
                                         : "not said that it waits for quiet";
        int code = closes ? caucus_channel_close(&channel) : caucus_channel_quiesce(channel);
        expect(code, last < 3 || !world_rank() ? words : "rank");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == last)
        expect(caucus_channel_quiesce(channel), "rank");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Who never waits but polls hears of it all the same; who only listens does not. */
static void check_polls(void) {
    static char bytes[100000];
    int last = world_size() - 1, code = MPI_SUCCESS, accepted;
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    double begin = MPI_Wtime();
    if (world_rank() == 0) {
        while (code == MPI_SUCCESS && MPI_Wtime() < begin + 20) {
            code = caucus_try_cast(channel, bytes, sizeof bytes, &accepted);
            if (code == MPI_SUCCESS)
                code = caucus_channel_poll(channel);
        }
        expect(code, last < 3 ? name_of(last, "made no room") : "made no room");
    } else if (world_rank() < last) {
        while (MPI_Wtime() < begin + 1)
            CHECK_MPI(caucus_channel_poll(channel));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0)
        expect(caucus_channel_close(&channel), "rank");
    CHECK_MPI(caucus_channel_close(&channel));
}

static void answer(void *context, const caucus_delivery *question, void *given) {
    (void)context, (void)question, (void)given;
}

static void combine(void *context, void *into, const void *from) {
    (void)context, (void)into, (void)from;
}

/* Nor need anybody who asks: a loop of tries hears of it, too. */
static void check_tries(void) {
    caucus_channel_options options = {
        .deliver = deliver, .answer = answer, .combine = combine, .answer_bytes = 1};
    caucus_channel channel = open_with(&options);
    double begin = MPI_Wtime();
    int code = MPI_SUCCESS, accepted;
    char own = 0;
    while (world_rank() == 0 && code == MPI_SUCCESS && MPI_Wtime() < begin + 20)
        code = caucus_channel_try_allreduce(channel, CAUCUS_QUORUM_ALL, "", 0, &own, &accepted);
    if (world_rank() == 0)
        expect(code, "not answered");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0)
        expect(caucus_channel_close(&channel), "rank");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Rank 0 gives no turns. */
static void check_turns(void) {
    static char bytes[100000];
    caucus_channel channel = open_channel(CAUCUS_ORDER_TOTAL);
    int code = MPI_SUCCESS;
    for (int casts = 0; world_rank() > 0 && code == MPI_SUCCESS; casts++) {
        code = caucus_cast(channel, bytes, sizeof bytes);
        CHECK(casts < 2, "%d casts had their turn", casts);
    }
    if (world_rank() > 0)
        expect(code, "rank 0 has not told the turn of a message");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        expect(caucus_channel_quiesce(channel), "rank");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Nobody contributes. */
static void check_quorum(void) {
    caucus_channel_options options = {
        .deliver = deliver, .answer = answer, .combine = combine, .answer_bytes = 1};
    caucus_channel channel = open_with(&options);
    char own = 0;
    if (world_rank() == 0)
        expect(caucus_channel_allreduce(channel, CAUCUS_QUORUM_MAJORITY, "", 0, &own),
               world_size() == 2   ? "rank 1 has not answered"
               : world_size() == 3 ? "rank 1 has not contributed: 1 of the 2 contributions that "
                                     "it takes have come"
                                   : "1 of the 3 contributions");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0)
        expect(caucus_channel_close(&channel), "rank");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Who hears something in time does not fail, though all takes longer than the limit. */
static void check_slow(void) {
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    const struct timespec nap = {.tv_nsec = 120000000};
    for (int i = 0; i < 6 && world_rank() == world_size() - 1; i++) {
        nanosleep(&nap, NULL);
        CHECK_MPI(caucus_cast(channel, "", 0));
    }
    int code = caucus_channel_close(&channel);
    CHECK(code == MPI_SUCCESS, "%d: %s", code, caucus_error_text());
}

static void check_receive(void) {
    caucus_channel_options options = {.credits = 2};
    caucus_channel channel = open_with(&options);
    caucus_delivery delivery;
    int code = caucus_channel_recv(channel, &delivery);
    CHECK(code == MPI_ERR_OTHER && strstr(caucus_error_text(), "no message came for 0.5 seconds"),
          "%d: %s", code, caucus_error_text());
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_channel_close(&channel)); /* it goes on */
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    check_slow();
    check_cast();
    check_rest(false);
    check_rest(true);
    check_polls();
    check_tries();
    check_turns();
    check_quorum();
    check_receive();
    MPI_Finalize();
    return 0;
}
