/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests for turns that wait at rank 0 while it makes no call on the channel, three of each other
 * rank, are all heard when it does. With several cliques MPICH takes the ranks for ones on
 * different nodes; there a receive from MPI_ANY_SOURCE that is started when its message has come
 * never completes.
 *
 * run: ranks=13 env=MPIR_CVAR_NUM_CLIQUES=3 env=CAUCUS_TIMEOUT=20 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

enum { CREDITS = 3, SEGMENT = 64, CASTS = 8, RANKS = 16 };

static int next[RANKS], heard;

/* Each as long as a segment, so that none waits for company. */
struct cast {
    int number;
    char rest[SEGMENT - sizeof(int)];
};

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context;
    struct cast cast;
    CHECK(delivery->length == sizeof cast, "%lld bytes", (long long)delivery->length);
    memcpy(&cast, delivery->bytes, sizeof cast);
    CHECK(cast.number == next[delivery->origin]++, "%d of %d", cast.number, delivery->origin);
    heard++;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    caucus_channel channel;
    caucus_channel_options options = {
        .deliver = deliver, .order = CAUCUS_ORDER_TOTAL, .credits = CREDITS, .segment = SEGMENT};
    struct cast cast = {0};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int accepted; world_rank() > 0 && cast.number < CREDITS; cast.number++) {
        CHECK_MPI(caucus_try_cast(channel, &cast, sizeof cast, &accepted));
        CHECK(accepted, "number %d had no room", cast.number);
    }
    if (world_rank() > 0)
        MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    for (int from = 1; world_rank() == 0 && from < world_size(); from++)
        MPI_Recv(NULL, 0, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (; cast.number < CASTS; cast.number++)
        CHECK_MPI(caucus_cast(channel, &cast, sizeof cast));
    CHECK_MPI(caucus_channel_close(&channel));
    CHECK(heard == CASTS * world_size(), "%d were heard", heard);
    MPI_Finalize();
    return 0;
}
