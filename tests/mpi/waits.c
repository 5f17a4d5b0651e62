/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that gets the signal of CAUCUS_SIGNAL says what it waits for: in a loop of tests, and
 * while it is in no call of Caucus. A handler that is there stays; a signal that is not known is an
 * error.
 *
 * run: ranks=2 env=CAUCUS_SIGNAL=USR2 output="0 waits in allreduce" output="in no call"
 * run: ranks=1 args=taken env=CAUCUS_SIGNAL=SIGUSR2 output="has a handler already"
 * run: ranks=1 env=CAUCUS_SIGNAL=KILL exit=error output="CAUCUS_SIGNAL is 'KILL'" */
#include "check.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void hear(int number) {
    (void)number;
    heard++;
}

/* Rank 1 comes so late that a thread has told of it by then. */
static void wait_for_late(caucus_request *request) {
    int flag = 0;
    double begin = MPI_Wtime();
    raise(SIGUSR2);
    while (world_rank() == 1 && MPI_Wtime() < begin + 4)
        usleep(10000);
    CHECK_MPI(caucus_start(request));
    while (!flag)
        CHECK_MPI(caucus_test(request, &flag, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    int in = 1, out = 0;
    bool taken = argc > 1 && strcmp(argv[1], "taken") == 0;
    caucus_request request;
    if (taken)
        signal(SIGUSR2, hear);
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &request));
    wait_for_late(&request);
    CHECK(out == world_size() && heard == taken, "%d, %d signals", out, (int)heard);
    CHECK_MPI(caucus_request_free(&request));
    MPI_Finalize();
    return 0;
}
