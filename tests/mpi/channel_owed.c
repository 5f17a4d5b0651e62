/* SPDX-License-Identifier: BSD-3-Clause */
/* Who asked has died before he was answered: nothing is owed to him, by those who answer all the
 * same neither.
 *
 * run: ranks=4 deaths mpi=openmpi env=CAUCUS_TIMEOUT=20 output="3 owe nothing" */
#include "check.h"

#include <caucus/caucus.h>
#include <signal.h>
#include <unistd.h>

enum { ASKER = 3, HEARD = 7 };

static void combine(void *context, void *into, const void *from) {
    (void)context, (void)into, (void)from;
}

static void await_heard(caucus_channel channel) {
    for (int rank = 0; rank < ASKER; rank++) {
        int heard = 0;
        while (!heard) {
            CHECK_MPI(caucus_channel_poll(channel));
            CHECK_MPI(MPI_Iprobe(rank, HEARD, MPI_COMM_WORLD, &heard, MPI_STATUS_IGNORE));
        }
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, rank, HEARD, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

static void await_death(caucus_channel channel) {
    int count = 0;
    while (count == 0) {
        caucus_delivery delivery;
        int received;
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        CHECK_MPI(caucus_channel_dead(channel, 0, NULL, &count));
    }
}

int main(int argc, char **argv) {
    caucus_channel channel;
    caucus_delivery question;
    int answer = 1, opened = 0;
    MPI_Init(&argc, &argv);
    caucus_channel_options options = {
        .survives = 1, .combine = combine, .answer_bytes = sizeof(int)};
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (world_rank() == ASKER) {
        while (!opened)
            CHECK_MPI(
                caucus_channel_try_allreduce(channel, CAUCUS_QUORUM_ALL, "?", 1, &answer, &opened));
        await_heard(channel);
        raise(SIGKILL);
    }
    CHECK_MPI(caucus_channel_recv(channel, &question));
    CHECK(question.asks && question.origin == ASKER, "no question");
    MPI_Send(NULL, 0, MPI_BYTE, ASKER, HEARD, MPI_COMM_WORLD); /* he may be dead before it ends */
    await_death(channel);
    if (world_rank() == 1)
        CHECK_MPI(caucus_channel_reply(channel, ASKER, &answer));
    int code = caucus_channel_close(&channel);
    CHECK(code == MPI_SUCCESS, "it returned %d: %s", code, caucus_error_text());
    if (world_rank() == 0)
        printf("3 owe nothing\n");
    fflush(stdout);
    _exit(0);
}
