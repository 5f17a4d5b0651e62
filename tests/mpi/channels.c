/* SPDX-License-Identifier: BSD-3-Clause */
/* Random casts of all ranks on several channels at once, every byte checked: exactly once, in the
 * order of each rank, in causal or total order where asked for; messages of no byte, of one piece,
 * of many, and longer than what is put together; callbacks that answer, and quiescence. With
 * "receive" there are no callbacks, and a rank's inbox is short.
 *
 * run: ranks=1,2,3,5
 * run: ranks=1,2,5 args="150 receive"
 * run: ranks=5 args=400 env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=4 args=5000 full
 * run: ranks=4 args="3000 receive" full */
#include "check.h"

#include <caucus/caucus.h>

#include <sched.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_RANKS = 8, MOST_TOTAL = 1 << 20, LONGEST = 300000 };

/* Bytes: a message of so many is one of many pieces. */
static int segment, memory, longest;
static bool receives;

struct header {
    int32_t origin, number, answers;
    int32_t got[MOST_RANKS]; /* what its caster had got */
};

struct user {
    caucus_channel channel;
    int order;
    int casts, answers_due;
    int got[MOST_RANKS];
    MPI_Count bytes[MOST_RANKS]; /* of a message in pieces */
    unsigned char whole[MOST_RANKS][LONGEST + sizeof(struct header)];
    int32_t history[MOST_TOTAL]; /* of a total order */
    int heard;
};

static unsigned char content(int origin, int number, MPI_Count at) {
    return (unsigned char)((unsigned)origin * 31 + (unsigned)number * 7 + (unsigned)at * 13);
}

static void check_message(struct user *user, const unsigned char *bytes, MPI_Count length) {
    struct header header;
    CHECK(length >= (MPI_Count)sizeof header, "%lld bytes", (long long)length);
    memcpy(&header, bytes, sizeof header);
    int origin = header.origin;
    CHECK(origin >= 0 && origin < world_size(), "origin %d", origin);
    CHECK(header.number == user->got[origin], "number %d of %d after %d", header.number, origin,
          user->got[origin]);
    for (MPI_Count i = (MPI_Count)sizeof header; i < length; i++)
        CHECK(bytes[i] == content(origin, header.number, i), "byte %lld", (long long)i);
    for (int r = 0; user->order != CAUCUS_ORDER_FIFO && r < world_size(); r++)
        CHECK(r == world_rank() || r == origin || header.got[r] <= user->got[r],
              "%d of rank %d came before what its caster had got of rank %d", header.number, origin,
              r);
    user->got[origin]++;
    user->history[user->heard++] = origin;
    user->answers_due += header.answers && origin != world_rank();
}

static bool casting; /* then another cast would come between its number and it */

static bool cast(struct user *user, MPI_Count extra, bool answers, bool blocking) {
    static unsigned char bytes[LONGEST + sizeof(struct header)];
    struct header header = {.origin = world_rank(), .number = user->casts, .answers = answers};
    MPI_Count length = (MPI_Count)sizeof header + extra;
    int accepted = 1;
    memcpy(header.got, user->got, sizeof header.got);
    memcpy(bytes, &header, sizeof header);
    for (MPI_Count i = (MPI_Count)sizeof header; i < length; i++)
        bytes[i] = content(world_rank(), user->casts, i);
    casting = true;
    if (blocking && receives) {
        int code = caucus_cast(user->channel, bytes, length);
        CHECK(code == MPI_SUCCESS || code == MPI_ERR_PENDING, "it returned %d", code);
        accepted = code == MPI_SUCCESS;
    } else if (blocking)
        CHECK_MPI(caucus_cast(user->channel, bytes, length));
    else
        CHECK_MPI(caucus_try_cast(user->channel, bytes, length, &accepted));
    casting = false;
    user->casts += accepted;
    return accepted;
}

static void answer(struct user *user) {
    while (user->answers_due > 0 && cast(user, 0, false, false))
        user->answers_due--;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    struct user *user = context;
    const unsigned char *bytes = delivery->bytes;
    if (!casting)
        answer(user); /* what is delivered stays there while others are cast */
    MPI_Count *have = &user->bytes[delivery->origin];
    if (delivery->length < delivery->total) {
        CHECK(delivery->total > memory && delivery->length <= segment, "a piece of %lld",
              (long long)delivery->total);
        CHECK(delivery->offset == *have, "a piece at %lld after %lld", (long long)delivery->offset,
              (long long)*have);
        memcpy(user->whole[delivery->origin] + *have, bytes, (size_t)delivery->length);
        *have += delivery->length;
        if (*have < delivery->total)
            return;
        *have = 0;
        bytes = user->whole[delivery->origin];
    }
    check_message(user, bytes, delivery->total);
}

static void poll_channel(struct user *user) {
    caucus_delivery delivery;
    if (!receives)
        CHECK_MPI(caucus_channel_poll(user->channel));
    for (int received = receives; received;) {
        CHECK_MPI(caucus_channel_try_recv(user->channel, &delivery, &received));
        if (received)
            deliver(user, &delivery);
    }
}

static void quiesce(struct user *user) {
    if (!receives)
        CHECK_MPI(caucus_channel_quiesce(user->channel));
    for (int quiet = !receives; !quiet;) {
        poll_channel(user);
        CHECK_MPI(caucus_channel_try_quiesce(user->channel, &quiet));
        sched_yield();
    }
}

static void open_channel(struct user *user, int order, int credits) {
    caucus_channel_options options = {.deliver = receives ? NULL : deliver,
                                      .inbox = 4 * segment,
                                      .context = user,
                                      .order = order,
                                      .credits = credits,
                                      .segment = segment,
                                      .memory = memory};
    memset(user, 0, sizeof *user);
    user->order = order;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user->channel));
}

static MPI_Count random_length(void) {
    switch (rand() % 12) {
    case 0:
        return rand() % longest;
    case 1:
        return rand() % memory;
    default:
        return rand() % (segment / 8);
    }
}

/* Everybody has everything, in one order if so asked. */
static void check_end(struct user *user, int *all) {
    MPI_Allgather(&user->casts, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < world_size(); r++)
        if (r != world_rank() || user->order == CAUCUS_ORDER_TOTAL)
            CHECK(user->got[r] == all[r], "%d of %d messages of rank %d", user->got[r], all[r], r);
    if (user->order != CAUCUS_ORDER_TOTAL)
        return;
    static int32_t first[MOST_TOTAL];
    memcpy(first, user->history, sizeof first);
    MPI_Bcast(first, user->heard, MPI_INT32_T, 0, MPI_COMM_WORLD);
    CHECK(!memcmp(first, user->history, (size_t)user->heard * sizeof *first), "orders differ");
}

static struct user users[3];

static void storm(int casts) {
    int all[MOST_RANKS];
    for (int i = 0; i < casts; i++) {
        struct user *user = &users[rand() % 3];
        bool blocking = user == &users[0] && rand() % 4 == 0; /* on one channel alone */
        cast(user, random_length(), rand() % 5 == 0, blocking);
        for (int k = 0; k < 3; k++)
            answer(&users[k]);
        if (rand() % 8 == 0)
            poll_channel(&users[rand() % 3]);
    }
    for (int k = 0; k < 3; k++)
        while (users[k].answers_due) {
            answer(&users[k]);
            for (int other = 0; other < 3; other++)
                poll_channel(&users[other]);
            sched_yield();
        }
    MPI_Request barrier;
    int done = 0; /* what comes late may ask for answers, which quiescence must not wait for */
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        for (int k = 0; k < 3; k++) {
            poll_channel(&users[k]);
            answer(&users[k]);
        }
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        sched_yield();
    }
    for (int k = 0; k < 3; k++) {
        quiesce(&users[k]);
        check_end(&users[k], all);
    }
}

static void check_all(int casts) {
    open_channel(&users[0], CAUCUS_ORDER_FIFO, 2);
    open_channel(&users[1], CAUCUS_ORDER_CAUSAL, 1);
    open_channel(&users[2], CAUCUS_ORDER_TOTAL, 4);
    storm(casts);
    storm(casts);
    for (int k = 0; k < 3; k++)
        CHECK_MPI(caucus_channel_close(&users[k].channel));
    CHECK(users[0].channel == CAUCUS_CHANNEL_NULL, "it is not null");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    srand((unsigned)world_rank() + 1);
    int casts = argc > 1 ? atoi(argv[1]) : 150;
    receives = argc > 2 && !strcmp(argv[2], "receive");
    if (receives)
        return_errors(MPI_COMM_WORLD);
    segment = 64, memory = 1000, longest = 3000;
    check_all(casts);
    segment = 100000, memory = 150000, longest = LONGEST; /* which MPI sends by rendezvous */
    check_all(casts / 10);
    MPI_Finalize();
    return 0;
}
