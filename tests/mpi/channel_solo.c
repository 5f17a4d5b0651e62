/* SPDX-License-Identifier: BSD-3-Clause */
/* Solo allreduces: what a rank has got by then goes into the first that comes, and into no other,
 * whoever opens it.
 *
 * run: ranks=1,4 */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

static long long deposit, heard;

static void give_deposit(void *context, const caucus_delivery *question, void *answer) {
    CHECK(!context && !question->length, "another question");
    memcpy(answer, &deposit, sizeof deposit);
    deposit = 0;
}

static void add(void *context, void *into, const void *from) {
    (void)context;
    *(long long *)into += *(const long long *)from;
}

static void hear_sum(void *context, const caucus_delivery *delivery) {
    (void)context;
    CHECK(delivery->contributions == world_size() && delivery->included, "somebody is not in");
    heard += *(const long long *)delivery->bytes;
}

int main(int argc, char **argv) {
    caucus_channel_options options = {.deliver = hear_sum,
                                      .answer = give_deposit,
                                      .combine = add,
                                      .answer_bytes = sizeof(long long)};
    long long own, sums[2] = {0}, all[2];
    caucus_channel channel;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int i = 0; i < 20; i++) {
        sums[0] += i * (world_rank() + 1);
        deposit += i * (world_rank() + 1);
        if (i % (world_rank() + 1))
            continue;
        own = deposit;
        deposit = 0;
        CHECK_MPI(caucus_channel_allreduce(channel, CAUCUS_QUORUM_SOLO, "", 0, &own));
    }
    CHECK_MPI(caucus_channel_quiesce(channel));
    sums[1] = deposit;
    MPI_Allreduce(sums, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(heard + all[1] == all[0], "%lld of %lld", heard, all[0]);
    CHECK_MPI(caucus_channel_close(&channel));
    MPI_Finalize();
    return 0;
}
