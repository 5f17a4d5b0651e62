/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that wait on a channel tell whom they wait for, with credits, slots and tickets as numbers.
 *
 * run: ranks=2,3 env=CAUCUS_SIGNAL=USR2 env=CAUCUS_TIMEOUT=20 */
#include "said.h"

#include <caucus/caucus.h>

enum { CREDITS = 2, CASTS = 10, BYTES = 100000 };

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
}

static caucus_channel open_channel(int order) {
    caucus_channel channel;
    caucus_channel_options options = {
        .deliver = deliver, .order = order, .credits = CREDITS, .segment = BYTES};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    return channel;
}

/* More than there is room for, while the last rank does not take any. */
static void cast_many(caucus_channel channel) {
    static char bytes[BYTES];
    for (int i = 0; i < CASTS && world_rank() == 0; i++)
        CHECK_MPI(caucus_cast(channel, bytes, BYTES));
    CHECK_MPI(caucus_channel_quiesce(channel));
}

static void check_credits(void) {
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    all_but(world_size() - 1);
    cast_many(channel);
    all_came();
    expect_said(0, "on a channel of ");
    expect_said(0, "made no room for another message: the link has 0 of 2 credits; ");
    expect_said(0, " slots have messages that wait for links");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Of messages that come in one order everywhere, rank 0 tells the turns. */
static void check_tickets(void) {
    caucus_channel channel = open_channel(CAUCUS_ORDER_TOTAL);
    all_but(0);
    if (world_rank() == 1)
        CHECK_MPI(caucus_cast(channel, "a", 1));
    CHECK_MPI(caucus_channel_quiesce(channel));
    all_came();
    expect_said(1, "rank 0 has not told the turn of a message: 1 tickets are asked for");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Without an end, for docs/waits.md. */
static void stand_still(void) {
    caucus_channel channel = open_channel(CAUCUS_ORDER_FIFO);
    while (world_rank() == world_size() - 1)
        pause();
    cast_many(channel);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1)
        stand_still();
    find_processes();
    check_credits();
    check_tickets();
    MPI_Finalize();
    return 0;
}
