/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is in an allreduce: solo, what a rank has got by then goes into the first that comes, and
 * into no other, whoever opens it; with a quorum, who is late is in none.
 *
 * run: ranks=1,4 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

static long long deposit, heard;

static void give_deposit(void *context, const caucus_delivery *question, void *answer) {
    CHECK(!context && !question->length, "another question");
    memcpy(answer, &deposit, sizeof deposit);
    deposit = 0;
}

static void add(void *context, void *into, const void *from) {
    (void)context;
    *(long long *)into += *(const long long *)from;
}

static void hear_sum(void *context, const caucus_delivery *delivery) {
    (void)context;
    CHECK(delivery->contributions == world_size() && delivery->included, "somebody is not in");
    heard += *(const long long *)delivery->bytes;
}

static void check_solo(void) {
    caucus_channel_options options = {.deliver = hear_sum,
                                      .answer = give_deposit,
                                      .combine = add,
                                      .answer_bytes = sizeof(long long)};
    long long own, sums[2] = {0}, all[2];
    caucus_channel channel;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int i = 0; i < 20; i++) {
        sums[0] += i * (world_rank() + 1);
        deposit += i * (world_rank() + 1);
        if (i % (world_rank() + 1))
            continue;
        own = deposit;
        deposit = 0;
        CHECK_MPI(caucus_channel_allreduce(channel, CAUCUS_QUORUM_SOLO, "", 0, &own));
    }
    CHECK_MPI(caucus_channel_quiesce(channel));
    sums[1] = deposit;
    MPI_Allreduce(sums, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(heard + all[1] == all[0], "%lld of %lld", heard, all[0]);
    CHECK_MPI(caucus_channel_close(&channel));
}

/* All ranks get there before anybody goes on. */
static void meet(caucus_channel channel) {
    MPI_Request all;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (!done) {
        CHECK_MPI(caucus_channel_poll(channel));
        MPI_Test(&all, &done, MPI_STATUS_IGNORE);
    }
}

static void open_one(caucus_channel channel, long long own) {
    int accepted = 0;
    while (!accepted)
        CHECK_MPI(caucus_channel_try_allreduce(channel, 2, "", 0, &own, &accepted));
}

static void expect_question(caucus_channel channel, int number) {
    caucus_delivery got;
    CHECK_MPI(caucus_channel_recv(channel, &got));
    CHECK(got.asks && !got.outcome && got.number == number, "question %lld", (long long)got.number);
}

static void expect_outcome(caucus_channel channel, int number) {
    caucus_delivery got;
    CHECK_MPI(caucus_channel_recv(channel, &got));
    CHECK(got.outcome && !got.asks && got.number == number, "outcome %lld", (long long)got.number);
    CHECK(got.contributions == 2 && got.included == (world_rank() < 2), "who is in");
    CHECK(*(const long long *)got.bytes == 11 * number, "it is %lld",
          *(const long long *)got.bytes);
}

/* Rank 0 opens two, each of which ranks 0 and 1 make; the first is no quiet, though all have heard
 * of it; what the others answer to it comes while the second is open. */
static void check_late(void) {
    caucus_channel_options options = {.combine = add, .answer_bytes = sizeof(long long)};
    caucus_channel channel;
    long long late = 1000;
    int me = world_rank(), quiet = 0;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int number = 1; number <= 2; number++) {
        long long own = me ? 10 * number : number;
        if (me == 0)
            open_one(channel, own);
        else if (me == 1 || number == 1)
            expect_question(channel, number);
        meet(channel);
        for (int i = 0; i < 50 && me == 0 && number == 1; i++)
            CHECK_MPI(caucus_channel_try_quiesce(channel, &quiet));
        CHECK(!quiet, "all is quiet");
        if (me > 1 && number == 2)
            CHECK_MPI(caucus_channel_reply(channel, 0, &late));
        meet(channel);
        if (me == 1)
            CHECK_MPI(caucus_channel_reply(channel, 0, &own));
        if (me < 2)
            expect_outcome(channel, number);
    }
    if (me > 1) {
        expect_outcome(channel, 1);
        expect_question(channel, 2);
        expect_outcome(channel, 2);
    }
    CHECK_MPI(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    check_solo();
    if (world_size() > 2)
        check_late();
    MPI_Finalize();
    return 0;
}
