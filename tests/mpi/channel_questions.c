/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions that any rank asks at any time, answered by all and combined on the way; decisions that
 * all see in one order; flushes, after which everybody has everything.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=MPIR_CVAR_NUM_CLIQUES=2 env=MPIR_CVAR_CLIQUES_BY_BLOCK=1
 * run: ranks=3 args=multiple */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <string.h>

enum { MOST_RANKS = 8, QUESTIONS = 25, MOST_DECISIONS = MOST_RANKS * QUESTIONS, WIDE = 700 };

struct answer {
    int ranks, yes;
    long long sum, most;
    char filling[WIDE]; /* so that an answer takes more than one line of anything */
};

struct decision {
    int asker, number, yes;
};

static struct user {
    caucus_channel channel;
    int got[MOST_RANKS], questions[MOST_RANKS], decisions;
    struct decision decision[MOST_DECISIONS];
} user;

static long long value_of(int rank, int asker, int number) {
    return (long long)(rank + 1) * (asker + 3) * (number + 7);
}

static bool agrees(int rank, int asker, int number) {
    return (rank + asker + number) % 3 != 0;
}

static void fill(struct answer *answer, int asker, int number) {
    *answer = (struct answer){.ranks = 1, .yes = agrees(world_rank(), asker, number)};
    answer->sum = answer->most = value_of(world_rank(), asker, number);
    memset(answer->filling, 7, sizeof answer->filling);
}

static void judge(void *context, const caucus_delivery *question, void *answer) {
    struct user *own = context;
    int number;
    memcpy(&number, question->bytes, sizeof number);
    CHECK(question->origin != world_rank(), "its own question");
    CHECK(number == own->questions[question->origin]++, "question %d", number);
    CHECK(question->length == (number % 4 ? 4 : 5000) && !question->offset, "%lld bytes",
          (long long)question->length);
    fill(answer, question->origin, number);
}

static void combine(void *context, void *into, const void *from) {
    struct answer *a = into;
    const struct answer *b = from;
    CHECK(context == &user && !memcmp(a->filling, b->filling, WIDE), "other bytes");
    a->ranks += b->ranks;
    a->yes += b->yes;
    a->sum += b->sum;
    a->most = b->most > a->most ? b->most : a->most;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    struct user *own = context;
    if (delivery->length == sizeof(struct decision))
        memcpy(&own->decision[own->decisions++], delivery->bytes, sizeof(struct decision));
    else
        own->got[delivery->origin]++;
}

static void open_channel(int order, bool progress) {
    caucus_channel_options options = {.deliver = deliver,
                                      .context = &user,
                                      .order = order,
                                      .credits = 2,
                                      .segment = 1000,
                                      .progress = progress,
                                      .answer = judge,
                                      .combine = combine,
                                      .answer_bytes = sizeof(struct answer)};
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user.channel));
}

/* All ask at once, and cast what came of it. */
static void check_votes(int order, bool progress) {
    int n = world_size(), me = world_rank();
    open_channel(order, progress);
    for (int number = 0; number < QUESTIONS; number++) {
        char question[5000] = {0};
        struct answer answer;
        long long sum = 0, most = 0;
        int yes = 0;
        memcpy(question, &number, sizeof number);
        fill(&answer, me, number);
        if (number % 5 == 0)
            CHECK_MPI(caucus_cast(user.channel, "", 1));
        CHECK_MPI(caucus_channel_ask(user.channel, question, number % 4 ? 4 : 5000, &answer));
        for (int r = 0; r < n; r++) {
            sum += value_of(r, me, number);
            most = value_of(r, me, number) > most ? value_of(r, me, number) : most;
            yes += agrees(r, me, number);
        }
        CHECK(answer.ranks == n && answer.sum == sum && answer.most == most && answer.yes == yes,
              "%d ranks, sum %lld", answer.ranks, answer.sum);
        struct decision decision = {me, number, answer.yes};
        CHECK_MPI(caucus_cast(user.channel, &decision, sizeof decision));
    }
    CHECK_MPI(caucus_channel_quiesce(user.channel));
    CHECK(user.decisions == QUESTIONS * (order == CAUCUS_ORDER_TOTAL ? n : n - 1), "%d decisions",
          user.decisions);
    static struct decision first[MOST_DECISIONS];
    memcpy(first, user.decision, sizeof first);
    MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(order != CAUCUS_ORDER_TOTAL || !memcmp(first, user.decision, sizeof first),
          "decisions differ");
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* What a flush has seen through is there without another look; one rank flushes, then the next. */
static void check_flush(int order) {
    int counts[MOST_RANKS] = {0};
    open_channel(order, false);
    for (int turn = 0; turn < world_size(); turn++) {
        MPI_Request end;
        int done = 0;
        if (world_rank() == turn) {
            for (; counts[turn] < 5 * (turn + 1); counts[turn]++)
                CHECK_MPI(caucus_cast(user.channel, "", counts[turn] % 2));
            CHECK_MPI(caucus_channel_flush(user.channel));
            CHECK_MPI(caucus_channel_flush(user.channel)); /* of nothing */
        }
        MPI_Ibcast(&counts[turn], 1, MPI_INT, turn, MPI_COMM_WORLD, &end);
        while (!done) {
            int before = user.got[turn];
            MPI_Test(&end, &done, MPI_STATUS_IGNORE);
            CHECK(!done || world_rank() == turn || before == counts[turn], "%d of %d", before,
                  counts[turn]);
            if (!done)
                CHECK_MPI(caucus_channel_poll(user.channel));
        }
    }
    caucus_channel_counters counters;
    CHECK_MPI(caucus_channel_statistics(user.channel, &counters));
    CHECK(counters.casts == counts[world_rank()], "%lld casts", (long long)counters.casts);
    CHECK_MPI(caucus_channel_close(&user.channel));
}

/* Of ranks that receive: what is in an inbox has come, and a full one has to be looked at. */
static void check_flush_of_receivers(void) {
    caucus_channel_options options = {.inbox = 500, .credits = 1};
    caucus_channel channel;
    caucus_delivery delivery;
    int casts = 20, got = 0, code, quiet = 0, received;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int i = 0; i < casts;) {
        code = caucus_cast(channel, "1234", 4);
        CHECK(code == MPI_SUCCESS || code == MPI_ERR_PENDING, "it returned %d", code);
        i += code == MPI_SUCCESS;
        for (; code != MPI_SUCCESS; code = MPI_SUCCESS, got++)
            CHECK_MPI(caucus_channel_recv(channel, &delivery));
    }
    while ((code = caucus_channel_flush(channel)) != MPI_SUCCESS) {
        CHECK(code == MPI_ERR_PENDING, "it returned %d: %s", code, caucus_error_text());
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
        got++;
    }
    while (!quiet) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        got += received;
        if (!received)
            CHECK_MPI(caucus_channel_try_quiesce(channel, &quiet));
    }
    CHECK(got == casts * (world_size() - 1), "%d messages", got);
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Casts, and receives where others wait for that. */
static int cast_and_receive(caucus_channel channel, int casts) {
    caucus_delivery delivery;
    int from_first = 0;
    for (int i = 0; i < casts;) {
        int code = caucus_cast(channel, "1234", 4);
        CHECK(code == MPI_SUCCESS || code == MPI_ERR_PENDING, "it returned %d", code);
        i += code == MPI_SUCCESS;
        if (code == MPI_SUCCESS)
            continue;
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
        from_first += delivery.origin == 0;
    }
    return from_first;
}

/* Until as many of rank 0's have come as it says, while it is in no call on the channel. */
static void receive_of_first(caucus_channel channel, int got) {
    caucus_delivery delivery;
    int casts = -1, told = 0, received;
    MPI_Request request;
    CHECK_MPI(MPI_Irecv(&casts, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    for (int looks = 0; looks < 100000 && !(told && got >= casts); looks += told) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        got += received && delivery.origin == 0;
        if (!told)
            CHECK_MPI(MPI_Test(&request, &told, MPI_STATUS_IGNORE));
    }
    CHECK(got == casts, "%d of rank 0's %d messages", got, casts);
    CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD));
}

/* What is cast between two calls of a flush is delivered when it returns, too. */
static void check_flush_with_casts_between(void) {
    enum { CASTS = 20, MORE = 5 };
    caucus_channel_options options = {.inbox = 500, .credits = 1};
    caucus_channel channel;
    caucus_delivery delivery;
    int code, casts = CASTS, quiet = 0, received;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    int got = cast_and_receive(channel, CASTS);
    if (world_rank() > 0)
        receive_of_first(channel, got);
    while (world_rank() == 0 && (code = caucus_channel_flush(channel)) != MPI_SUCCESS) {
        CHECK(code == MPI_ERR_PENDING, "it returned %d: %s", code, caucus_error_text());
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
        if (casts < CASTS + MORE) {
            CHECK_MPI(caucus_try_cast(channel, "1234", 4, &received));
            casts += received;
        }
    }
    for (int rank = 1; world_rank() == 0 && rank < world_size(); rank++)
        CHECK_MPI(MPI_Send(&casts, 1, MPI_INT, rank, 0, MPI_COMM_WORLD));
    for (int rank = 1; world_rank() == 0 && rank < world_size(); rank++)
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    while (!quiet) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        if (!received)
            CHECK_MPI(caucus_channel_try_quiesce(channel, &quiet));
    }
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Without callbacks; even ranks answer odd ones when they have asked all of their own. */
static void check_receivers(int order) {
    caucus_channel_options options = {.context = &user,
                                      .order = order,
                                      .credits = 1,
                                      .inbox = 3000,
                                      .combine = combine,
                                      .answer_bytes = sizeof(struct answer)};
    enum { FEW = 6 };
    int owed[MOST_RANKS] = {0}, open = 0, quiet = 0, received = 0;
    struct answer mine, other;
    caucus_delivery delivery;
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user.channel));
    for (int number = 0; !quiet;) {
        CHECK_MPI(caucus_channel_try_recv(user.channel, &delivery, &received));
        if (received) {
            CHECK(delivery.asks && delivery.origin != world_rank(), "no question");
            memcpy(&owed[delivery.origin], delivery.bytes, sizeof(int));
            owed[delivery.origin]++;
            open++;
        }
        for (int r = 0; r < world_size(); r++)
            if (owed[r] && (number == FEW || world_rank() % 2 || r % 2 == 0)) {
                fill(&other, r, owed[r] - 1);
                CHECK_MPI(caucus_channel_reply(user.channel, r, &other));
                owed[r] = 0;
                open--;
            }
        if (number < FEW && (world_rank() % 2 == 0 || !open)) {
            fill(&mine, world_rank(), number);
            int code = caucus_channel_ask(user.channel, &number, sizeof number, &mine);
            CHECK(code == MPI_SUCCESS || code == MPI_ERR_PENDING, "it returned %d", code);
            CHECK(code != MPI_SUCCESS || mine.ranks == world_size(), "%d ranks", mine.ranks);
            number += code == MPI_SUCCESS;
        } else if (!received) {
            CHECK_MPI(caucus_channel_try_quiesce(user.channel, &quiet));
        }
    }
    CHECK(caucus_channel_reply(user.channel, 0, &mine) == MPI_ERR_ARG, "there is a question");
    CHECK_MPI(caucus_channel_close(&user.channel));
}

static void expect(int code, int class, const char *words) {
    CHECK(code == class && strstr(caucus_error_text(), words), "%d: %s", code, caucus_error_text());
}

/* Rank 1's message waits here, and nobody answers yet: the question is begun, and comes back. */
static void ask_between(void) {
    struct answer mine, other;
    caucus_delivery delivery;
    int told = 0, number = 0;
    MPI_Request request;
    CHECK_MPI(MPI_Irecv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
    while (!told) {
        CHECK_MPI(caucus_channel_poll(user.channel));
        CHECK_MPI(MPI_Test(&request, &told, MPI_STATUS_IGNORE));
    }
    fill(&mine, 0, number);
    expect(caucus_channel_ask(user.channel, &number, sizeof number, &mine), MPI_ERR_PENDING, "");
    expect(caucus_channel_ask(user.channel, "other", 5, &other), MPI_ERR_ARG, "is under way");
    for (int rank = 1; rank < world_size(); rank++)
        CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD));
    CHECK_MPI(caucus_channel_recv(user.channel, &delivery));
    CHECK_MPI(caucus_channel_ask(user.channel, &number, sizeof number, &mine));
    CHECK(mine.ranks == world_size(), "%d ranks", mine.ranks);
}

/* Until a question that came back is made again, its thread asks no other one. */
static void check_question_between(void) {
    caucus_channel_options options = {
        .context = &user, .combine = combine, .answer_bytes = sizeof(struct answer)};
    caucus_delivery delivery;
    int number, quiet = 0, received;
    memset(&user, 0, sizeof user);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &user.channel));
    if (world_rank() == 1) {
        CHECK_MPI(caucus_cast(user.channel, "news", 4));
        CHECK_MPI(caucus_channel_flush(user.channel));
        CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD));
    } else if (world_rank() == 0) {
        ask_between();
    }
    while (!quiet) {
        struct answer other;
        CHECK_MPI(caucus_channel_try_recv(user.channel, &delivery, &received));
        if (received && delivery.asks) {
            memcpy(&number, delivery.bytes, sizeof number);
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            fill(&other, 0, number);
            CHECK_MPI(caucus_channel_reply(user.channel, 0, &other));
        } else if (!received) {
            CHECK_MPI(caucus_channel_try_quiesce(user.channel, &quiet));
        }
    }
    CHECK_MPI(caucus_channel_close(&user.channel));
}

static void check_bad_input(void) {
    struct answer answer;
    caucus_channel channel;
    caucus_channel_options options = {.deliver = deliver, .answer = judge, .answer_bytes = 4};
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "combine");
    options.combine = combine;
    options.answer_bytes = 0;
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "answer_bytes");
    options.answer_bytes = 4 + (world_rank() == 1);
    if (world_size() > 1)
        expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG,
               "answer_bytes");
    options = (caucus_channel_options){.deliver = deliver};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    expect(caucus_channel_ask(channel, "", 0, &answer), MPI_ERR_ARG,
           "without options.answer_bytes");
    CHECK_MPI(caucus_channel_close(&channel));
    open_channel(CAUCUS_ORDER_FIFO, false);
    expect(caucus_channel_ask(user.channel, "", 0, NULL), MPI_ERR_ARG, "answer is NULL");
    expect(caucus_channel_reply(user.channel, 0, &answer), MPI_ERR_ARG, "no question");
    expect(caucus_channel_reply(user.channel, -1, &answer), MPI_ERR_ARG, "no question");
    expect(caucus_channel_reply(user.channel, 0, NULL), MPI_ERR_ARG, "answer is NULL");
    expect(caucus_channel_ask(user.channel, "", -1, &answer), MPI_ERR_COUNT, "length is -1");
    expect(caucus_channel_ask(user.channel, "", (MPI_Count)1 << 40, &answer), MPI_ERR_COUNT,
           "come whole");
    CHECK_MPI(caucus_channel_close(&user.channel));
    expect(caucus_channel_ask(user.channel, "", 0, &answer), MPI_ERR_ARG, "CHANNEL_NULL");
    expect(caucus_channel_reply(user.channel, 0, &answer), MPI_ERR_ARG, "CHANNEL_NULL");
    expect(caucus_channel_flush(user.channel), MPI_ERR_ARG, "CHANNEL_NULL");
}

int main(int argc, char **argv) {
    int provided;
    bool threads = argc > 1;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    check_bad_input();
    check_votes(CAUCUS_ORDER_FIFO, threads);
    check_votes(CAUCUS_ORDER_TOTAL, threads);
    check_flush(CAUCUS_ORDER_FIFO);
    check_flush(CAUCUS_ORDER_CAUSAL);
    check_flush(CAUCUS_ORDER_TOTAL);
    check_flush_of_receivers();
    check_flush_with_casts_between();
    check_receivers(CAUCUS_ORDER_FIFO);
    check_receivers(CAUCUS_ORDER_TOTAL);
    if (world_size() > 1)
        check_question_between();
    MPI_Finalize();
    return 0;
}
