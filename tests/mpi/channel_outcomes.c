/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduces and votes that any rank opens at any time and whose outcome all are told: exact, once,
 * with a quorum or of all, in one order where the channel has one.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=MPIR_CVAR_NUM_CLIQUES=2 env=MPIR_CVAR_CLIQUES_BY_BLOCK=1
 * run: ranks=3 args=multiple */
#include "expect_error.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <string.h>

enum { MOST_RANKS = 8, EACH = 4, WIDE = 700, ALL = MOST_RANKS * EACH };

struct answer {
    int ranks, yes;
    long long sum;
    char filling[WIDE]; /* so that outcomes travel in pieces */
};

struct outcome {
    int origin, number, ranks, yes;
    long long sum;
};

static struct user {
    caucus_channel channel;
    int heard[MOST_RANKS], questions[MOST_RANKS], got, opened;
    struct outcome outcome[ALL];
    bool included[ALL];
    bool chains; /* whoever hears an outcome opens one */
} user;

static long long value_of(int rank, int origin, int number) {
    return (long long)(rank + 1) * (origin + 3) * (number + 7);
}

static bool agrees(int rank, int origin, int number) {
    return (rank + origin + number) % 3 != 0;
}

static struct answer answer_to(int origin, int number) {
    struct answer answer = {.ranks = 1, .yes = agrees(world_rank(), origin, number)};
    answer.sum = value_of(world_rank(), origin, number);
    memset(answer.filling, 7, sizeof answer.filling);
    return answer;
}

static void judge(void *context, const caucus_delivery *question, void *answer) {
    int number;
    memcpy(&number, question->bytes, sizeof number);
    CHECK(!context && question->origin != world_rank() && !question->outcome, "its own question");
    CHECK(question->number == number && number == ++user.questions[question->origin], "question %d",
          number);
    *(struct answer *)answer = answer_to(question->origin, number);
}

static void combine(void *context, void *into, const void *from) {
    struct answer *a = into;
    const struct answer *b = from;
    CHECK(!context && !memcmp(a->filling, b->filling, WIDE), "other bytes");
    a->ranks += b->ranks;
    a->yes += b->yes;
    a->sum += b->sum;
}

static void record(const caucus_delivery *delivery) {
    const struct answer *answer = delivery->bytes;
    CHECK(delivery->outcome && !delivery->asks && delivery->length == sizeof *answer &&
              delivery->total == delivery->length && !delivery->offset,
          "%lld bytes", (long long)delivery->length);
    CHECK(delivery->number == ++user.heard[delivery->origin], "outcome %lld, not %d of %d",
          (long long)delivery->number, user.heard[delivery->origin], delivery->origin);
    CHECK(answer->ranks == delivery->contributions, "of %d ranks", answer->ranks);
    user.included[user.got] = delivery->included;
    user.outcome[user.got++] = (struct outcome){delivery->origin, (int)delivery->number,
                                                answer->ranks, answer->yes, answer->sum};
}

/* Not all that are tried in a callback have room: those that were accepted count. */
static void try_another(int quorum) {
    int accepted = 0, number = user.opened + 1;
    struct answer mine = answer_to(world_rank(), number);
    if (number > EACH)
        return;
    CHECK_MPI(caucus_channel_try_allreduce(user.channel, quorum, &number, sizeof number, &mine,
                                           &accepted));
    user.opened += accepted;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context;
    if (delivery->outcome)
        record(delivery);
    if (user.chains)
        try_another(CAUCUS_QUORUM_MAJORITY);
}

static caucus_channel_options options_of(int order, bool receives, bool progress) {
    return (caucus_channel_options){.deliver = receives ? NULL : deliver,
                                    .order = order,
                                    .credits = 2,
                                    .segment = order == CAUCUS_ORDER_CAUSAL ? 300 : 1000,
                                    .inbox = 2000,
                                    .progress = progress,
                                    .answer = receives ? NULL : judge,
                                    .combine = combine,
                                    .answer_bytes = sizeof(struct answer)};
}

static void open_channel(const caucus_channel_options *options) {
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, options, &user.channel));
}

static int needed(int quorum) {
    int n = world_size();
    return quorum == CAUCUS_QUORUM_MAJORITY ? n / 2 + 1 : quorum > 0 ? quorum : n;
}

static bool is_same_everywhere(const struct outcome of[ALL]) {
    static struct outcome first[ALL];
    memcpy(first, of, sizeof first);
    MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    return !memcmp(first, of, sizeof first);
}

/* What all have heard: exact, of those that say that they are in, and in one order. */
static void check_heard(int order, int quorum) {
    static struct outcome sorted[ALL];
    static long long mine[ALL][3], all[ALL][3];
    int opened;
    MPI_Allreduce(&user.opened, &opened, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(user.got == opened, "%d outcomes of %d", user.got, opened);
    memset(sorted, 0, sizeof sorted);
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < user.got; i++) {
        const struct outcome *of = &user.outcome[i];
        int at = of->origin * EACH + of->number - 1;
        sorted[at] = *of;
        CHECK(of->origin != world_rank() || user.included[i], "the opener is not in");
        if (!user.included[i])
            continue;
        mine[at][0] = value_of(world_rank(), of->origin, of->number);
        mine[at][1] = agrees(world_rank(), of->origin, of->number);
        mine[at][2] = 1;
    }
    MPI_Allreduce(mine, all, 3 * ALL, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(is_same_everywhere(sorted), "outcomes differ");
    CHECK(is_same_everywhere(user.outcome) || order != CAUCUS_ORDER_TOTAL, "their order differs");
    for (int i = 0; i < ALL; i++) {
        const struct outcome *of = &sorted[i];
        CHECK(of->sum == all[i][0] && of->yes == all[i][1], "%d yes, %lld", of->yes, of->sum);
        CHECK(of->ranks == all[i][2] && of->ranks == (of->number ? needed(quorum) : 0), "%d ranks",
              of->ranks);
    }
}

/* All open at once, waiting and not, with other casts and flushes between. */
static void check_all_at_once(int order, int quorum, bool progress) {
    caucus_channel_options options = options_of(order, false, progress);
    open_channel(&options);
    for (int number = 1; number <= EACH; number++) {
        struct answer mine = answer_to(world_rank(), number);
        if (number % 3 == 0)
            CHECK_MPI(caucus_cast(user.channel, "", 1));
        if (number % 4 == 0)
            CHECK_MPI(caucus_channel_flush(user.channel));
        if (number % 2)
            while (user.opened < number) {
                try_another(quorum);
                CHECK_MPI(caucus_channel_poll(user.channel));
            }
        else
            CHECK_MPI(
                caucus_channel_allreduce(user.channel, quorum, &number, sizeof number, &mine));
        user.opened = number;
        CHECK(number % 2 || mine.ranks == needed(quorum), "%d ranks", mine.ranks);
    }
    CHECK_MPI(caucus_channel_quiesce(user.channel));
    check_heard(order, quorum);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* By callbacks, while all wait for quiet, which must not come between. */
static void check_chains(int order) {
    caucus_channel_options options = options_of(order, false, false);
    open_channel(&options);
    user.chains = true;
    if (world_rank() == 0)
        CHECK_MPI(caucus_cast(user.channel, "go", 2));
    CHECK_MPI(caucus_channel_quiesce(user.channel));
    int most;
    MPI_Allreduce(&user.opened, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(most > 0 || (world_size() == 1 && order != CAUCUS_ORDER_TOTAL), "none was opened");
    check_heard(order, CAUCUS_QUORUM_MAJORITY);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* Ranks that receive: of a quorum, some behind the opener answer, the others when it is too late.
 */
static bool is_prompt(int origin, int quorum) {
    return (world_rank() - origin + world_size()) % world_size() < needed(quorum);
}

static bool receive_one(int quorum) {
    caucus_delivery delivery;
    int received;
    CHECK_MPI(caucus_channel_try_recv(user.channel, &delivery, &received));
    if (!received)
        return false;
    int origin = delivery.origin;
    struct answer mine = answer_to(origin, (int)delivery.number);
    if (delivery.asks) {
        CHECK(delivery.number == ++user.questions[origin] && !delivery.outcome, "question %lld",
              (long long)delivery.number);
        if (is_prompt(origin, quorum))
            CHECK_MPI(caucus_channel_reply(user.channel, origin, &mine));
        return true;
    }
    record(&delivery);
    CHECK(!delivery.included == !is_prompt(origin, quorum), "who is in");
    expect(caucus_channel_reply(user.channel, origin, &mine), MPI_ERR_ARG, "no question");
    return true;
}

static void check_receivers(int order, int quorum) {
    caucus_channel_options options = options_of(order, true, false);
    int quiet = 0, code;
    open_channel(&options);
    while (user.opened < EACH) {
        int number = user.opened + 1;
        struct answer mine = answer_to(world_rank(), number);
        while ((code = caucus_channel_allreduce(user.channel, quorum, &number, sizeof number,
                                                &mine)) != MPI_SUCCESS) {
            CHECK(code == MPI_ERR_PENDING, "it returned %d: %s", code, caucus_error_text());
            receive_one(quorum);
        }
        user.opened++;
        CHECK(mine.ranks == needed(quorum), "%d ranks", mine.ranks);
    }
    while (!quiet)
        if (!receive_one(quorum))
            CHECK_MPI(caucus_channel_try_quiesce(user.channel, &quiet));
    check_heard(order, quorum);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

int main(int argc, char **argv) {
    int provided;
    bool threads = argc > 1;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    return_errors(MPI_COMM_WORLD);
    for (int order = CAUCUS_ORDER_FIFO; order <= CAUCUS_ORDER_TOTAL; order++) {
        check_all_at_once(order, CAUCUS_QUORUM_ALL, threads);
        check_chains(order);
        check_receivers(order, CAUCUS_QUORUM_MAJORITY);
    }
    check_all_at_once(CAUCUS_ORDER_TOTAL, CAUCUS_QUORUM_MAJORITY, threads);
    check_receivers(CAUCUS_ORDER_FIFO, CAUCUS_QUORUM_ALL);
    check_receivers(CAUCUS_ORDER_FIFO, 1);
    MPI_Finalize();
    return 0;
}
