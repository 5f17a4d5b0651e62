/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and questions that are too long for a channel that survives deaths are errors at once,
 * whatever they begin with, and change nothing: who polls afterwards awaits nothing.
 *
 * run: ranks=2 deaths mpi=openmpi env=CAUCUS_TIMEOUT=0.5 output="too long, and no more" */
#include "check.h"

#include <caucus/caucus.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENT = 1000 };

static const MPI_Count most = INT32_MAX - 96; /* that can be given in one message */

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
}

static void answer(void *context, const caucus_delivery *question, void *given) {
    (void)context, (void)question, (void)given;
}

static void combine(void *context, void *into, const void *from) {
    (void)context, (void)into, (void)from;
}

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

static void expect_count(int code, const char *words) {
    CHECK(code == MPI_ERR_COUNT && strstr(caucus_error_text(), words), "%d: %s", code,
          caucus_error_text());
}

static caucus_channel open_channel(MPI_Count memory) {
    caucus_channel channel;
    caucus_channel_options options = {.deliver = deliver,
                                      .answer = answer,
                                      .combine = combine,
                                      .answer_bytes = 1,
                                      .segment = SEGMENT,
                                      .memory = memory,
                                      .survives = 1};
    CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    return channel;
}

static void check_polls(void) {
    static char bytes[2 * SEGMENT];
    caucus_channel channel = open_channel(SEGMENT);
    int accepted;
    expect_count(caucus_try_cast(channel, bytes, sizeof bytes, &accepted), "options.memory");
    for (double begin = MPI_Wtime(); MPI_Wtime() < begin + 2;)
        CHECK_CALL(caucus_channel_poll(channel));
    CHECK_CALL(caucus_channel_close(&channel));
}

/* Nothing is read there. */
static void check_longest(void) {
    caucus_channel channel = open_channel((MPI_Count)3 << 30);
    char byte = 0;
    int accepted;
    expect_count(caucus_cast(channel, &byte, most + 1), "at most 2147483551");
    expect_count(caucus_channel_ask(channel, &byte, (MPI_Count)1 << 31, &byte), "at most");
    expect_count(
        caucus_channel_allreduce(channel, CAUCUS_QUORUM_ALL, &byte, (MPI_Count)1 << 31, &byte),
        "at most");
    expect_count(caucus_channel_try_allreduce(channel, CAUCUS_QUORUM_ALL, &byte, (MPI_Count)1 << 31,
                                              &byte, &accepted),
                 "at most");
    CHECK_CALL(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    check_polls();
    check_longest();
    if (world_rank() == 0)
        printf("too long, and no more\n");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
