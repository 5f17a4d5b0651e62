/* SPDX-License-Identifier: BSD-3-Clause */
/* Small casts that travel together, heard without callbacks: each is received and counted by
 * itself, in order, also while its rank waits for quiet and answers, and where the inbox has room
 * for part of a message only; a flush and a question come after all that were cast before.
 *
 * run: ranks=1,2,3,4
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=MPIR_CVAR_NUM_CLIQUES=2 env=MPIR_CVAR_CLIQUES_BY_BLOCK=1 */
#include "check.h"

#include <caucus/caucus.h>

#include <sched.h>
#include <stdbool.h>
#include <string.h>

enum { RANKS = 8, SEGMENT = 512, CASTS = 100, LENGTH = 2 * sizeof(int), CREDITS = 4 };

struct user {
    caucus_channel channel;
    int casts, due; /* answers */
    bool has_room;  /* for all answers */
    int got[RANKS], heard;
};

static void add_up(void *context, void *into, const void *from) {
    (void)context;
    *(int *)into += *(const int *)from;
}

static void open_channel(struct user *user, int order, MPI_Count inbox) {
    caucus_channel_options options = {.order = order,
                                      .credits = CREDITS,
                                      .segment = SEGMENT,
                                      .inbox = inbox,
                                      .combine = add_up,
                                      .answer_bytes = sizeof(int)};
    memset(user, 0, sizeof *user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user->channel));
}

static bool cast(struct user *user) {
    int accepted, message[2] = {user->casts, world_rank()};
    CHECK_MPI(caucus_try_cast(user->channel, message, LENGTH, &accepted));
    user->casts += accepted;
    return accepted;
}

/* Answers a question by what it has got of its origin. */
static bool receive(struct user *user) {
    caucus_delivery delivery;
    int received, message[2];
    CHECK_MPI(caucus_channel_try_recv(user->channel, &delivery, &received));
    if (!received)
        return false;
    int *got = &user->got[delivery.origin];
    if (delivery.asks) {
        CHECK_MPI(caucus_channel_reply(user->channel, delivery.origin, got));
        return true;
    }
    CHECK(delivery.length == LENGTH && delivery.total == LENGTH && delivery.offset == 0,
          "%lld bytes", (long long)delivery.length);
    memcpy(message, delivery.bytes, sizeof message);
    CHECK(message[0] == (*got)++ && message[1] == delivery.origin, "message %d of %d", message[0],
          delivery.origin);
    user->heard++;
    user->due += delivery.origin != world_rank() && message[0] < CASTS && message[0] % 20 == 19;
    return true;
}

/* A rank that has received may cast again, though it waits for quiet. */
static void be_quiet(struct user *user) {
    for (int quiet = 0; !quiet; sched_yield()) {
        bool received = receive(user);
        while (user->due > 0 && cast(user))
            user->due--;
        CHECK(!user->due || !user->has_room, "an answer is refused");
        if (!received && !user->due)
            CHECK_MPI(caucus_channel_try_quiesce(user->channel, &quiet));
    }
}

static void check_counts(const struct user *user, int order) {
    int all[RANKS], sum = 0;
    caucus_channel_counters counters;
    MPI_Allgather(&user->casts, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < world_size(); r++) {
        bool heard = r != world_rank() || order == CAUCUS_ORDER_TOTAL;
        CHECK(user->got[r] == (heard ? all[r] : 0), "%d of %d of rank %d", user->got[r], all[r], r);
        sum += heard ? all[r] : 0;
    }
    CHECK_MPI(caucus_channel_statistics(user->channel, &counters));
    CHECK(counters.casts == user->casts && counters.cast_bytes == user->casts * (int)LENGTH,
          "%lld casts", (long long)counters.casts);
    CHECK(counters.deliveries == sum && counters.delivered_bytes == sum * (int)LENGTH,
          "%lld deliveries", (long long)counters.deliveries);
}

static void storm(int order, MPI_Count inbox) {
    static struct user user;
    open_channel(&user, order, inbox);
    while (user.casts < CASTS)
        if (!cast(&user))
            receive(&user);
    be_quiet(&user);
    check_counts(&user, order);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* While the others do nothing, more is cast than leaves: all of it comes before the flush ends, and
 * before a question is answered. */
static void check_before(int order, MPI_Count inbox, bool asks) {
    static struct user user;
    caucus_channel_counters counters;
    MPI_Request barrier;
    int done = 0, sum = 0, caster = world_size() - 1; /* who has to wait for its turns */
    bool is_caster = world_rank() == caster;
    open_channel(&user, order, inbox);
    user.has_room = true;
    /* in a total order, those behind two wait though there is room */
    while (is_caster && user.casts < (order == CAUCUS_ORDER_TOTAL ? 10 : CASTS) && cast(&user))
        continue;
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_caster && asks)
        CHECK_MPI(caucus_channel_ask(user.channel, &user.casts, sizeof(int), &sum));
    else if (is_caster)
        CHECK_MPI(caucus_channel_flush(user.channel));
    CHECK(sum == (is_caster && asks ? user.casts * (world_size() - 1) : 0), "%d before it", sum);
    for (MPI_Ibarrier(MPI_COMM_WORLD, &barrier); !done; sched_yield()) {
        if (!is_caster)
            CHECK_MPI(caucus_channel_poll(user.channel));
        if (!is_caster && (asks || inbox))
            receive(&user);
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    int casts = user.casts;
    MPI_Bcast(&casts, 1, MPI_INT, caster, MPI_COMM_WORLD);
    CHECK_MPI(caucus_channel_statistics(user.channel, &counters));
    CHECK(is_caster || counters.deliveries == casts + asks, "%lld of %d",
          (long long)counters.deliveries, casts);
    MPI_Barrier(MPI_COMM_WORLD); /* before anybody answers */
    be_quiet(&user);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* Ranks that wait for quiet answer in the midst of a message of several casts. */
static void check_answers(MPI_Count inbox) {
    static struct user user;
    open_channel(&user, CAUCUS_ORDER_FIFO, inbox);
    user.has_room = true;
    while (world_rank() == 0 && user.casts < CASTS && cast(&user))
        continue;
    CHECK(world_rank() > 0 || world_size() == 1 || user.casts > 4 + CREDITS * 2, "%d casts",
          user.casts);
    be_quiet(&user);
    check_counts(&user, CAUCUS_ORDER_FIFO);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int order = CAUCUS_ORDER_FIFO; order <= CAUCUS_ORDER_TOTAL; order++) {
        storm(order, 0);
        storm(order, 300);
        check_before(order, 0, false);
        if (order == CAUCUS_ORDER_TOTAL)
            continue; /* its own casts would have to be received first */
        check_before(order, 300, false);
        check_before(order, 0, true);
    }
    check_answers(0);
    check_answers(300);
    MPI_Finalize();
    return 0;
}
