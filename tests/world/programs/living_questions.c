/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step while all ask, and reduce, on channels that survive it: all that live have
 * answered, nobody twice. */
#include "world_calls.h"

#include <caucus/caucus.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, CHANNELS = 6, ROUNDS = 3, SHARE = 200, CASTS = 6 };

static struct board {
    int stage[MOST];
} *board;

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

struct answers {
    int ranks, sum;
    char rest[120]; /* more than half a share, on channels that keep little */
};

static void check(const struct answers *answers) {
    int sum = 0;
    for (int rank = 0; rank < world_size(); rank++) {
        CHECK(answers->ranks >> rank & 1 || world_is_dead(rank), "no answer of rank %d", rank);
        sum += answers->ranks >> rank & 1;
    }
    CHECK(answers->sum == sum, "%d answers of %d ranks", answers->sum, sum);
}

static void hear(void *context, const caucus_delivery *delivery) {
    struct answers answers;
    (void)context;
    if (delivery->length < (MPI_Count)sizeof answers) /* a cast */
        return;
    CHECK(delivery->length == (MPI_Count)sizeof answers, "%lld bytes", (long long)delivery->length);
    memcpy(&answers, delivery->bytes, sizeof answers);
    CHECK(delivery->contributions == answers.sum, "%d contributions", delivery->contributions);
    check(&answers);
}

static void answer(void *context, const caucus_delivery *question, void *into) {
    struct answers own = {.ranks = 1 << world_rank(), .sum = 1};
    (void)context, (void)question;
    memcpy(into, &own, sizeof own);
}

static void combine(void *context, void *into, const void *from) {
    struct answers all, more;
    (void)context;
    memcpy(&all, into, sizeof all);
    memcpy(&more, from, sizeof more);
    all.ranks |= more.ranks;
    all.sum += more.sum;
    memcpy(into, &all, sizeof all);
}

static void rest(void) {}

int main(int argc, char **argv) {
    caucus_channel channel[CHANNELS];
    char question[150] = {0};
    world_shield(true);
    MPI_Init(&argc, &argv);
    board = world_board(sizeof *board);
    return_errors(MPI_COMM_WORLD);
    for (int c = 0; c < CHANNELS; c++) {
        caucus_channel_options options = {.deliver = hear,
                                          .answer = answer,
                                          .combine = combine,
                                          .answer_bytes = sizeof(struct answers),
                                          .order = CAUCUS_ORDER_FIFO + c % 3,
                                          .credits = 4,
                                          .segment = 64,
                                          .keeps = c < 3 ? 0 : SHARE * world_size(),
                                          .survives = 1};
        CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel[c]));
    }
    world_shield(false);
    for (int i = 0; i < CHANNELS * ROUNDS; i++) {
        struct answers asked = {.ranks = 1 << world_rank(), .sum = 1}, reduced = asked;
        caucus_channel on = channel[i / ROUNDS];
        for (int cast = 0; cast < CASTS; cast++)
            CHECK_CALL(caucus_cast(on, question, 10 + 20 * (cast % 3)));
        CHECK_CALL(caucus_channel_ask(on, question, sizeof question, &asked));
        check(&asked);
        CHECK_CALL(caucus_channel_allreduce(on, CAUCUS_QUORUM_ALL, question, 1, &reduced));
        check(&reduced);
        if (i % ROUNDS == ROUNDS - 1)
            CHECK_CALL(caucus_channel_quiesce(on));
    }
    for (int c = 0; c < CHANNELS; c++)
        CHECK_CALL(caucus_channel_close(&channel[c]));
    reach(board->stage, 1, rest);
    printf("all that live have answered\n");
    fflush(stdout);
    _exit(0);
}
