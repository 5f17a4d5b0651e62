/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step while all cast on channels of three orders that survive it, and on one
 * whose messages are received: those who live have all messages of each other, the same of the
 * dead, in the same order where it is total. On some a message may be longer than what is kept of a
 * rank. */
#include "world_calls.h"

#include <caucus/caucus.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, CHANNELS = 4, CASTS = 12, LONGEST = 600, TOTAL = 2, RECEIVED = 3 };

struct board {
    int stage[MOST];
    struct {
        int got[CHANNELS][MOST]; /* by origin */
        unsigned long long order;
    } rank[MOST];
};
static struct board *board;

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

/* The first bytes say which it is. */
static void hear(void *context, const caucus_delivery *delivery) {
    int number, channel = *(const int *)context, me = world_rank(), from = delivery->origin;
    memcpy(&number, delivery->bytes, sizeof number);
    int *got = &board->rank[me].got[channel][from];
    CHECK(number == *got, "number %d of rank %d came, %d was next", number, from, *got);
    (*got)++;
    if (channel == TOTAL)
        board->rank[me].order = board->rank[me].order * 31 + (unsigned)from + 1;
}

/* One message at a time: of several that travel together some wait while others die. */
static void look(caucus_channel *channel, int c) {
    int received, number = c;
    caucus_delivery delivery;
    if (c != RECEIVED) {
        CHECK_CALL(caucus_channel_poll(channel[c]));
        return;
    }
    CHECK_CALL(caucus_channel_try_recv(channel[c], &delivery, &received));
    if (received)
        hear(&number, &delivery);
}

/* While there is no room others may wait on another channel. */
static void cast(caucus_channel *channel, int c, int number) {
    char message[LONGEST] = {0};
    int accepted = 0, length = (number + world_rank()) % 5 == 0 ? LONGEST : 40;
    memcpy(message, &number, sizeof number);
    while (!accepted) {
        CHECK_CALL(caucus_try_cast(channel[c], message, length, &accepted));
        for (int other = 0; other < CHANNELS && !accepted; other++)
            look(channel, other);
    }
}

static void close_all(caucus_channel *channel) {
    int quiet[CHANNELS] = {0};
    for (int left = CHANNELS; left > 0;) {
        left = 0;
        for (int c = 0; c < CHANNELS; c++) {
            if (quiet[c] || c == RECEIVED)
                look(channel, c);
            if (!quiet[c])
                CHECK_CALL(caucus_channel_try_quiesce(channel[c], &quiet[c]));
            left += !quiet[c];
        }
    }
    for (int c = 0; c < CHANNELS; c++)
        CHECK_CALL(caucus_channel_close(&channel[c]));
}

/* A rank's own casts are delivered to it in total order alone. */
static void compare(int other) {
    int me = world_rank();
    for (int c = 0; c < CHANNELS; c++)
        for (int from = 0; from < world_size(); from++) {
            int mine = board->rank[me].got[c][from], his = board->rank[other].got[c][from];
            bool own = c != TOTAL && c != RECEIVED && (from == me || from == other);
            CHECK(own || mine == his, "channel %d: ranks %d and %d have %d and %d of rank %d", c,
                  me, other, mine, his, from);
            CHECK(mine == CASTS || own || world_is_dead(from), "channel %d: %d of rank %d", c, mine,
                  from);
        }
    CHECK(board->rank[me].order == board->rank[other].order, "ranks %d and %d: other orders", me,
          other);
}

static void rest(void) {}

int main(int argc, char **argv) {
    static int number[CHANNELS] = {0, 1, 2, 3};
    caucus_channel channel[CHANNELS];
    world_shield(true);
    MPI_Init(&argc, &argv);
    board = world_board(sizeof *board);
    return_errors(MPI_COMM_WORLD);
    for (int c = 0; c < CHANNELS; c++) {
        caucus_channel_options options = {.deliver = c == RECEIVED ? NULL : hear,
                                          .context = &number[c],
                                          .order = c == RECEIVED ? CAUCUS_ORDER_TOTAL
                                                                 : CAUCUS_ORDER_FIFO + c,
                                          .credits = c == 1 ? 2 : 8,
                                          .segment = 256,
                                          .survives = 1,
                                          .inbox = c == RECEIVED ? 500 : 0,
                                          .keeps = c % 2 ? 1 << 20 : 1200};
        CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel[c]));
    }
    world_shield(false);
    for (int i = 0; i < CHANNELS * CASTS; i++)
        cast(channel, i % CHANNELS, i / CHANNELS);
    close_all(channel);
    reach(board->stage, 1, rest);
    for (int other = 0; other < world_size(); other++)
        if (!world_is_dead(other))
            compare(other);
    reach(board->stage, 2, rest);
    printf("those who live have the same messages\n");
    fflush(stdout);
    _exit(0);
}
