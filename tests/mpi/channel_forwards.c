/* SPDX-License-Identifier: BSD-3-Clause */
/* After a death, too, what a rank sends of its own counts as no forward.
 *
 * run: ranks=4 deaths mpi=openmpi output="nothing was forwarded" */
#include "check.h"

#include <caucus/caucus.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
}

int main(void) {
    caucus_channel channel;
    caucus_channel_counters counters;
    caucus_channel_options options = {.deliver = deliver, .survives = 1};
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    int rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (rank == 0)
        raise(SIGKILL);
    for (int count = 0; !count; sched_yield()) {
        CHECK_CALL(caucus_channel_poll(channel));
        CHECK_CALL(caucus_channel_dead(channel, 0, NULL, &count));
    }
    if (rank == 3) {
        CHECK_CALL(caucus_cast(channel, "own", 3));
        CHECK_CALL(caucus_channel_flush(channel));
        CHECK_CALL(caucus_channel_statistics(channel, &counters));
        CHECK(counters.sends > 0 && counters.forwards == 0, "%lld forwards of %lld sends",
              (long long)counters.forwards, (long long)counters.sends);
    }
    CHECK_CALL(caucus_channel_close(&channel));
    if (rank == 3)
        printf("nothing was forwarded\n");
    fflush(stdout);
    _exit(0); /* Open MPI 5.0.11's MPI_Finalize waits for ever after some deaths */
}
