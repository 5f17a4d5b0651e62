/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's thread of a channel ends when it is told to, on some ranks alone: nothing is
 * delivered there any more but in calls, everything still comes once, and a channel that is left
 * open so has no thread within MPI_Finalize.
 *
 * run: ranks=2,3,4
 * run: ranks=3 env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2 */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <unistd.h>

enum { CASTS = 5 };

static atomic_int heard;

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    heard++;
}

static void open_one(caucus_channel *channel) {
    const caucus_channel_options options = {.deliver = deliver, .progress = 1};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, channel));
}

static void cast_some(caucus_channel channel, int times) {
    for (int i = 0; i < times && world_rank() == 0; i++)
        CHECK_MPI(caucus_cast(channel, "x", 1));
}

static void await(caucus_channel channel, int count) {
    while (heard < count)
        CHECK_MPI(caucus_channel_poll(channel));
}

static void stop_on_odd_ranks(caucus_channel channel) {
    int rank = world_rank(), mine = rank > 0 ? CASTS : 0;
    cast_some(channel, CASTS);
    while (heard < mine) /* by the thread */
        usleep(100);
    if (rank % 2)
        for (int i = 0; i < 2; i++)
            CHECK_MPI(caucus_channel_stop_progress(channel));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    cast_some(channel, CASTS);
    usleep(20000);
    if (rank % 2)
        CHECK(heard == mine, "%d are delivered, outside of calls", heard);
    await(channel, 2 * mine);
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK(heard == 2 * mine, "%d are delivered", heard);
}

int main(int argc, char **argv) {
    int level;
    caucus_channel channel, left;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    open_one(&channel);
    stop_on_odd_ranks(channel);
    CHECK_MPI(caucus_channel_close(&channel));
    open_one(&left);
    cast_some(left, CASTS);
    CHECK_MPI(caucus_channel_stop_progress(left));
    MPI_Finalize();
    return 0;
}
