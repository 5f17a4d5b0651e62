/* SPDX-License-Identifier: BSD-3-Clause */
/* In causal order a rank that catches up after a death gets a message before the answer to it, also
 * where the answer was given to the first of several small casts that travelled together: the rank
 * that gives both had not had the last of these when it cast the answer.
 *
 * run: ranks=4 deaths mpi=openmpi output="the question came before its answer" */
#include "check.h"

#include <caucus/caucus.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { CREDITS = 4, SEGMENT = 128, CASTS = 12, ALONE = 2 * CREDITS, ANSWER = 100 };

static caucus_channel channel;
static int rank, got, answers, accepted;

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

static int number_of(const caucus_delivery *delivery) {
    long long number;
    CHECK(delivery->length == sizeof number, "%lld bytes", (long long)delivery->length);
    memcpy(&number, delivery->bytes, sizeof number);
    return (int)number;
}

static void try_cast(long long number) {
    CHECK_CALL(caucus_try_cast(channel, &number, sizeof number, &accepted));
    CHECK(accepted, "%lld has no room", number);
}

/* The first of those that travel together is answered by rank 2. */
static void hear(void *context, const caucus_delivery *delivery) {
    int number = number_of(delivery);
    (void)context;
    if (delivery->origin == 2) {
        CHECK(number == ANSWER && got > ALONE, "%d after %d of rank 0", number, got);
        answers++;
        return;
    }
    CHECK(delivery->origin == 0 && number == got, "%d of rank %d, %d was next", number,
          delivery->origin, got);
    got++;
    if (rank == 2 && number == ALONE)
        try_cast(ANSWER);
}

static void poll(void) {
    CHECK_CALL(caucus_channel_poll(channel));
    sched_yield();
}

static void wait_for_death(void) {
    for (int count = 0; !count; poll())
        CHECK_CALL(caucus_channel_dead(channel, 0, NULL, &count));
}

/* Those before the answered one, but not that, though it is here. */
static void receive_first(void) {
    caucus_delivery delivery;
    while (got < ALONE) {
        CHECK_CALL(caucus_channel_recv(channel, &delivery));
        hear(NULL, &delivery);
    }
}

static void receive_all(void) {
    caucus_delivery delivery;
    for (int quiet = 0, received; !quiet; sched_yield()) {
        CHECK_CALL(caucus_channel_try_recv(channel, &delivery, &received));
        if (received)
            hear(NULL, &delivery);
        else
            CHECK_CALL(caucus_channel_try_quiesce(channel, &quiet));
    }
}

static void die_when_told(void) {
    MPI_Request request;
    int done = 0;
    CHECK_MPI(MPI_Irecv(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD, &request));
    for (; !done; poll())
        CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    raise(SIGKILL);
}

/* Rank 0 casts while nobody else looks. */
static void begin(void) {
    for (int number = 0; rank == 0 && number < CASTS; number++)
        try_cast(number);
    for (int to = 1; rank == 0 && to < world_size(); to++)
        CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, to, 0, MPI_COMM_WORLD));
    if (rank > 0)
        CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(void) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    caucus_channel_options options = {.deliver = rank == 1 ? NULL : hear,
                                      .order = CAUCUS_ORDER_CAUSAL,
                                      .credits = CREDITS,
                                      .segment = SEGMENT,
                                      .inbox = 1,
                                      .survives = 1};
    CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    got = rank == 0 ? CASTS : 0;
    begin();
    if (rank == 1)
        receive_first();
    while (rank == 2 && got < CASTS)
        poll();
    if (rank == 2)
        CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 3, 0, MPI_COMM_WORLD));
    if (rank == 3)
        die_when_told();
    wait_for_death();
    if (rank == 1)
        receive_all();
    else
        CHECK_CALL(caucus_channel_quiesce(channel));
    CHECK(got == CASTS && answers == (rank != 2), "%d of %d casts, %d answers", got, CASTS,
          answers);
    CHECK_CALL(caucus_channel_close(&channel));
    if (rank == 1)
        printf("the question came before its answer\n");
    fflush(stdout);
    _exit(0); /* Open MPI 5.0.11's MPI_Finalize waits for ever after some deaths */
}
