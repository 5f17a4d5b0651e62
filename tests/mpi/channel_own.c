/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that receives and asks in a total order hears its own questions among the others: nobody
 * has to receive them, whatever room the inbox has, so the asker waits for the answers alone.
 *
 * run: ranks=1,2,3 env=CAUCUS_TIMEOUT=20 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>
#include <time.h>

enum { LONG = 5000 };

static void combine(void *context, void *into, const void *from) {
    (void)context;
    *(int *)into += *(const int *)from;
}

static caucus_channel open_channel(MPI_Count inbox) {
    caucus_channel channel;
    caucus_channel_options options = {.order = CAUCUS_ORDER_TOTAL,
                                      .credits = 2,
                                      .segment = 1000,
                                      .inbox = inbox,
                                      .combine = combine,
                                      .answer_bytes = sizeof(int)};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    return channel;
}

/* When the asker has its own question for long. */
static void answer(caucus_channel channel, int asker, MPI_Count length) {
    const struct timespec nap = {.tv_nsec = 20000000};
    caucus_delivery question;
    int mine = 1;
    CHECK_MPI(caucus_channel_recv(channel, &question));
    CHECK(question.asks && question.origin == asker && question.length == length, "no question");
    nanosleep(&nap, NULL);
    CHECK_MPI(caucus_channel_poll(channel));
    CHECK_MPI(caucus_channel_reply(channel, asker, &mine));
}

/* Nothing else has come, nor does before all are here. */
static void meet(caucus_channel channel) {
    MPI_Request end;
    caucus_delivery delivery;
    int done = 0, received;
    CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
    CHECK(!received, "%lld bytes of rank %d", (long long)delivery.length, delivery.origin);
    MPI_Ibarrier(MPI_COMM_WORLD, &end);
    while (!done) {
        CHECK_MPI(caucus_channel_poll(channel));
        MPI_Test(&end, &done, MPI_STATUS_IGNORE);
    }
}

static void check_ask(caucus_channel channel, int asker, MPI_Count length) {
    char question[LONG] = {0};
    int all = 1;
    if (world_rank() != asker)
        answer(channel, asker, length);
    else
        CHECK_MPI(caucus_channel_ask(channel, question, length, &all));
    CHECK(world_rank() != asker || all == world_size(), "%d answers", all);
    meet(channel);
}

/* All hear of the outcome, the opener too. */
static void check_allreduce(caucus_channel channel, int opener) {
    caucus_delivery outcome;
    int all = 1;
    if (world_rank() != opener)
        answer(channel, opener, 0);
    else
        CHECK_MPI(caucus_channel_allreduce(channel, CAUCUS_QUORUM_ALL, "", 0, &all));
    CHECK(world_rank() != opener || all == world_size(), "%d answers", all);
    CHECK_MPI(caucus_channel_recv(channel, &outcome));
    CHECK(outcome.outcome && outcome.origin == opener && outcome.contributions == world_size(),
          "no outcome");
    meet(channel);
}

static void check(MPI_Count inbox) {
    caucus_channel channel = open_channel(inbox);
    caucus_channel_counters counters;
    int n = world_size();
    for (int asker = 0; asker < n; asker++) {
        check_ask(channel, asker, 4);
        check_ask(channel, asker, LONG);
        check_allreduce(channel, asker);
    }
    CHECK_MPI(caucus_channel_statistics(channel, &counters));
    CHECK(counters.deliveries == 3 * (n - 1) + n, "%lld deliveries",
          (long long)counters.deliveries);
    CHECK_MPI(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    check(0);
    check(1); /* where nothing fits, and all stays where it came */
    MPI_Finalize();
    return 0;
}
