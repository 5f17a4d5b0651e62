/* SPDX-License-Identifier: BSD-3-Clause */
/* Small casts that have to wait travel together: each is delivered by itself, whole, once and in
 * order; quiescence and closing wait for those that have not left; and no more of them wait than
 * fill a segment.
 *
 * run: ranks=1,2,3,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2 */
#include "check.h"

#include <caucus/caucus.h>

#include <sched.h>
#include <string.h>

enum { RANKS = 8, CREDITS = 4, SEGMENT = 256, LONGEST = SEGMENT / 4, CASTS = 250 };

struct user {
    caucus_channel channel;
    int casts, answers; /* of this rank; answers that its callback owes */
    int casting;        /* then another cast would come between a number and it */
    int got[RANKS], heard;
    unsigned order;
};

/* The number of a cast, then as many bytes as follow from it. */
static int length_of(int origin, int number) {
    return number % 7 == 0 ? (int)sizeof(int) : 4 + (origin * 5 + number * 3) % (LONGEST - 3);
}

static void fill(unsigned char *bytes, int origin, int number) {
    memset(bytes, origin * 16 + number % 16, LONGEST);
    memcpy(bytes, &number, sizeof number);
}

static int cast(struct user *user) {
    unsigned char bytes[LONGEST];
    int accepted;
    fill(bytes, world_rank(), user->casts);
    user->casting = 1;
    CHECK_MPI(
        caucus_try_cast(user->channel, bytes, length_of(world_rank(), user->casts), &accepted));
    user->casting = 0;
    user->casts += accepted;
    return accepted;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    struct user *user = context;
    unsigned char wanted[LONGEST];
    int origin = delivery->origin, number = user->got[origin]++;
    fill(wanted, origin, number);
    CHECK(delivery->length == length_of(origin, number), "%lld bytes of number %d of %d",
          (long long)delivery->length, number, origin);
    CHECK(delivery->offset == 0 && delivery->total == delivery->length, "it is a piece");
    CHECK((size_t)delivery->bytes % 16 == 0, "it lies at %p", delivery->bytes);
    CHECK(!memcmp(delivery->bytes, wanted, (size_t)delivery->length), "number %d of %d", number,
          origin);
    user->order = user->order * 31 + (unsigned)origin;
    user->heard++;
    user->answers += origin != world_rank() && number % 50 == 49;
    while (user->answers > 0 && !user->casting && cast(user))
        user->answers--;
}

static void check_heard(const struct user *user, int order) {
    int all[RANKS];
    unsigned orders[2] = {user->order, ~user->order};
    MPI_Allgather(&user->casts, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < world_size(); r++)
        if (r != world_rank() || order == CAUCUS_ORDER_TOTAL)
            CHECK(user->got[r] == all[r], "%d of %d casts of rank %d", user->got[r], all[r], r);
    MPI_Allreduce(MPI_IN_PLACE, orders, 2, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    CHECK(order != CAUCUS_ORDER_TOTAL || orders[0] == ~orders[1], "orders differ");
}

/* While nobody else polls: so many leave, so many have a slot, and the others fill a segment:
 * casts of 16 bytes with 4 for their length. */
static void check_room(void) {
    static struct user user;
    caucus_channel_options options = {
        .deliver = deliver, .context = &user, .credits = CREDITS, .segment = SEGMENT};
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user.channel));
    if (world_rank() == 0 && world_size() > 1) {
        int bytes = 0, used = 0;
        while (cast(&user))
            if (user.casts > 2 * CREDITS) {
                bytes = (used + 15) / 16 * 16 + length_of(0, user.casts - 1);
                used = bytes;
            }
        int waiting = user.casts - 2 * CREDITS;
        int next = (used + 15) / 16 * 16 + length_of(0, user.casts);
        CHECK((bytes + 3) / 4 * 4 + 4 * waiting <= SEGMENT, "%d casts of %d bytes wait", waiting,
              bytes);
        CHECK((next + 3) / 4 * 4 + 4 * (waiting + 1) > SEGMENT, "but %d casts of %d bytes wait",
              waiting, bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_channel_quiesce(user.channel));
    check_heard(&user, CAUCUS_ORDER_FIFO);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* Everybody casts, answers, and closes while some wait to leave. */
static void storm(int order, int credits) {
    static struct user user;
    caucus_channel_options options = {.deliver = deliver,
                                      .context = &user,
                                      .order = order,
                                      .credits = credits,
                                      .segment = SEGMENT};
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user.channel));
    for (int round = 0; round < 2; round++) {
        int due = user.casts + CASTS;
        while (user.casts < due)
            if (!cast(&user))
                sched_yield();
        CHECK_MPI(caucus_channel_quiesce(user.channel));
        check_heard(&user, order);
    }
    for (int i = 0; i < CASTS; i++)
        cast(&user);
    CHECK_MPI(caucus_channel_close(&user.channel));
    check_heard(&user, order);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    check_room();
    for (int credits = 1; credits <= CREDITS; credits *= 4) {
        storm(CAUCUS_ORDER_FIFO, credits);
        storm(CAUCUS_ORDER_CAUSAL, credits);
        storm(CAUCUS_ORDER_TOTAL, credits);
    }
    MPI_Finalize();
    return 0;
}
