/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that does not poll for a while makes the others wait: their casts are refused, nobody's
 * memory grows, and when it polls again all goes on, with nothing lost.
 *
 * run: ranks=2,4 */
#include "check.h"

#include <caucus/caucus.h>

#include <malloc.h>
#include <string.h>

enum { MOST_RANKS = 16, CREDITS = 4, BYTES = 4000 };

static int got[MOST_RANKS];

static void deliver(void *context, const caucus_delivery *delivery) {
    int number;
    (void)context;
    memcpy(&number, delivery->bytes, sizeof number);
    CHECK(delivery->length == BYTES, "%lld bytes", (long long)delivery->length);
    CHECK(number == got[delivery->origin]++, "message %d of rank %d", number, delivery->origin);
}

/* Casts until nothing is taken for so many times; returns how many were taken. */
static int storm(caucus_channel channel, int casts, int refusals) {
    static int message[BYTES / sizeof(int)];
    for (int refused = 0, accepted; refused < refusals; refused = accepted ? 0 : refused + 1) {
        message[0] = casts;
        CHECK_MPI(caucus_try_cast(channel, message, BYTES, &accepted));
        casts += accepted;
    }
    return casts;
}

/* One message of everybody to everybody, so that MPI has taken what first messages need. Nobody
 * goes on while another one still takes what comes. */
static int warm_up(caucus_channel channel) {
    int message[BYTES / sizeof(int)] = {0};
    CHECK_MPI(caucus_cast(channel, message, BYTES));
    CHECK_MPI(caucus_channel_quiesce(channel));
    MPI_Barrier(MPI_COMM_WORLD);
    return 1;
}

int main(int argc, char **argv) {
    caucus_channel channel;
    caucus_channel_options options = {.deliver = deliver, .credits = CREDITS, .segment = BYTES};
    int casts, all[MOST_RANKS], hops = 0;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    casts = warm_up(channel);
    if (world_rank() < world_size() - 1) {
        casts = storm(channel, casts, 10);
        size_t bytes = mallinfo2().uordblks;
        casts = storm(channel, casts, 5000);
        CHECK(mallinfo2().uordblks <= bytes + (1 << 20), "%zu bytes more",
              mallinfo2().uordblks - bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* where the last rank has been waiting */
    CHECK_MPI(caucus_channel_quiesce(channel));
    MPI_Allgather(&casts, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    while (1 << (hops + 1) <= world_size())
        hops++;
    for (int r = 0; r < world_size(); r++) {
        CHECK(r == world_rank() || got[r] == all[r], "%d of %d of rank %d", got[r], all[r], r);
        CHECK(all[r] <= 1 + (hops + 1) * CREDITS, "%d casts of rank %d had room", all[r], r);
    }
    CHECK_MPI(caucus_channel_close(&channel));
    MPI_Finalize();
    return 0;
}
