/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad arguments of channels: an error class and words on the ranks concerned, and what is open goes
 * on.
 *
 * run: ranks=1,2,4 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <string.h>

static int delivered;
static caucus_channel opened;

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context;
    CHECK(delivery->length == 3 && !memcmp(delivery->bytes, "abc", 3), "other bytes");
    delivered++;
    expect(caucus_channel_poll(opened), MPI_ERR_ARG, "called by the callback");
    expect(caucus_cast(opened, "abc", 3), MPI_ERR_ARG, "called by the callback");
    expect(caucus_channel_close(&opened), MPI_ERR_ARG, "called by the callback");
    expect(caucus_channel_stop_progress(opened), MPI_ERR_ARG, "called by the callback");
    expect(caucus_channel_allreduce(opened, 0, "", 0, &delivered), MPI_ERR_ARG, "by the callback");
}

static void answer(void *context, const caucus_delivery *question, void *given) {
    (void)context, (void)question, (void)given;
}

static void combine(void *context, void *into, const void *from) {
    (void)context, (void)into, (void)from;
}

static void check_open(void) {
    caucus_channel channel = CAUCUS_CHANNEL_NULL;
    caucus_channel_options options = {.deliver = deliver};
    expect(caucus_channel_open(MPI_COMM_WORLD, NULL, &channel), MPI_ERR_ARG, "options is NULL");
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, NULL), MPI_ERR_ARG, "channel is NULL");
    options.inbox = -1;
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "inbox");
    options.inbox = 0;
    options.order = 7;
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG,
           "options.order is 7");
    options.order = CAUCUS_ORDER_FIFO;
    options.memory = -1;
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "at least 0");
    options.memory = 0;
    options.keeps = 1;
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "keeps is 1");
    options.survives = 1; /* no rank of these runs is told of deaths */
    expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_UNSUPPORTED_OPERATION,
           "tells nothing of deaths");
    options = (caucus_channel_options){.deliver = deliver};
    if (world_size() > 1) {
        options.credits = 1 + (world_rank() == 1);
        expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "credits");
        options.credits = world_rank() == 1 ? -1 : 0; /* one errs, all hear of it */
        expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_ARG, "rank 1");
#ifndef __SANITIZE_ADDRESS__
        options.credits = 200000; /* 200 TB */
        options.segment = 1 << 30;
        expect(caucus_channel_open(MPI_COMM_WORLD, &options, &channel), MPI_ERR_NO_MEM, "memory");
#endif
    }
    CHECK(channel == CAUCUS_CHANNEL_NULL, "it was made");
}

static void check_null(caucus_channel none, const char *words) {
    int flag;
    caucus_delivery delivery;
    expect(caucus_cast(none, "", 0), MPI_ERR_ARG, words);
    expect(caucus_try_cast(none, "", 0, &flag), MPI_ERR_ARG, words);
    expect(caucus_channel_recv(none, &delivery), MPI_ERR_ARG, words);
    expect(caucus_channel_try_recv(none, &delivery, &flag), MPI_ERR_ARG, words);
    expect(caucus_channel_poll(none), MPI_ERR_ARG, words);
    expect(caucus_channel_quiesce(none), MPI_ERR_ARG, words);
    expect(caucus_channel_stop_progress(none), MPI_ERR_ARG, words);
    expect(caucus_channel_try_quiesce(none, &flag), MPI_ERR_ARG, words);
    expect(caucus_channel_close(&none), MPI_ERR_ARG, words);
    expect(caucus_channel_dead(none, 0, NULL, &flag), MPI_ERR_ARG, words);
    expect(caucus_channel_statistics(none, NULL), MPI_ERR_ARG, words);
}

static void check_calls(void) {
    caucus_delivery delivery;
    int received;
    check_null(CAUCUS_CHANNEL_NULL, "CAUCUS_CHANNEL_NULL");
    expect(caucus_channel_dead(opened, 0, NULL, NULL), MPI_ERR_ARG, "count is NULL");
    expect(caucus_channel_dead(opened, 1, NULL, &received), MPI_ERR_ARG, "ranks is NULL");
    expect(caucus_channel_dead(opened, -1, NULL, &received), MPI_ERR_ARG, "room is negative");
    CHECK(caucus_channel_dead(opened, 0, NULL, &received) == MPI_SUCCESS && !received, "dead");
    expect(caucus_channel_close(NULL), MPI_ERR_ARG, "NULL");
    expect(caucus_cast(opened, "", -1), MPI_ERR_COUNT, "length is -1");
    expect(caucus_cast(opened, NULL, 1), MPI_ERR_ARG, "bytes is NULL");
    expect(caucus_try_cast(opened, "abc", 3, NULL), MPI_ERR_ARG, "accepted is NULL");
    expect(caucus_channel_recv(opened, &delivery), MPI_ERR_ARG, "callback");
    expect(caucus_channel_try_recv(opened, &delivery, &received), MPI_ERR_ARG, "callback");
    expect(caucus_channel_try_quiesce(opened, NULL), MPI_ERR_ARG, "quiet is NULL");
}

static void check_receive(void) {
    caucus_channel_options options = {.inbox = 1000};
    caucus_channel channel;
    caucus_delivery delivery;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    expect(caucus_channel_recv(channel, NULL), MPI_ERR_ARG, "delivery is NULL");
    expect(caucus_channel_try_recv(channel, &delivery, NULL), MPI_ERR_ARG, "received is NULL");
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Those of allreduces, and where they cannot be opened at all. */
static void check_allreduce(void) {
    caucus_channel_options options = {
        .deliver = deliver, .answer = answer, .combine = combine, .answer_bytes = 8};
    caucus_channel channel;
    int accepted;
    char mine[8] = {0};
    expect(caucus_channel_allreduce(opened, 0, "", 0, mine), MPI_ERR_ARG, "answer_bytes");
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    expect(caucus_channel_allreduce(channel, -3, "", 0, mine), MPI_ERR_ARG, "quorum is -3");
    expect(caucus_channel_allreduce(channel, world_size() + 1, "", 0, mine), MPI_ERR_ARG, "1 to");
    expect(caucus_channel_allreduce(channel, 0, NULL, 1, mine), MPI_ERR_ARG, "bytes is NULL");
    expect(caucus_channel_allreduce(channel, 0, "", -1, mine), MPI_ERR_COUNT, "length is -1");
    expect(caucus_channel_allreduce(channel, 0, "", 0, NULL), MPI_ERR_ARG, "answer is NULL");
    expect(caucus_channel_try_allreduce(channel, 0, "", 0, NULL, &accepted), MPI_ERR_ARG, "answer");
    expect(caucus_channel_try_allreduce(channel, 0, "", 0, mine, NULL), MPI_ERR_ARG, "accepted");
    expect(caucus_channel_reply(channel, 0, mine), MPI_ERR_ARG, "no question");
    CHECK_MPI(caucus_channel_close(&channel));
    expect(caucus_channel_allreduce(channel, 0, "", 0, mine), MPI_ERR_ARG, "CHANNEL_NULL");
    options.memory = 12;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    expect(caucus_channel_allreduce(channel, 0, "", 0, mine), MPI_ERR_ARG, "come whole");
    CHECK_MPI(caucus_channel_close(&channel));
    options = (caucus_channel_options){.combine = combine, .answer_bytes = 8};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    expect(caucus_channel_allreduce(channel, CAUCUS_QUORUM_SOLO, "", 0, mine), MPI_ERR_ARG,
           "without options.answer");
    expect(caucus_channel_reply(channel, -1, mine), MPI_ERR_ARG, "no question");
    CHECK_MPI(caucus_channel_close(&channel));
}

static int told;

static void count(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    told++;
}

/* A channel goes on without its communicator, whose errors go to MPI_COMM_SELF's handler then. */
static void check_freed(void) {
    MPI_Comm comm;
    MPI_Errhandler handler;
    caucus_channel channel, copy;
    caucus_channel_options options = {.deliver = deliver};
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    CHECK_MPI(caucus_channel_open(comm, &options, &channel));
    int before = errors_ignored;
    expect(caucus_cast(channel, NULL, 1), MPI_ERR_ARG, "bytes is NULL");
    CHECK(told == 1 && errors_ignored == before, "told %d times, others %d", told,
          errors_ignored - before);
    MPI_Comm_free(&comm);
    delivered = 0;
    opened = channel;
    expect(caucus_cast(channel, NULL, 1), MPI_ERR_ARG, "bytes is NULL");
    CHECK(told == 1 && errors_ignored == before + 1, "told %d times, others %d", told,
          errors_ignored - before);
    CHECK_MPI(caucus_cast(channel, "abc", 3));
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK(delivered == world_size() - 1, "%d messages", delivered);
    copy = channel;
    CHECK_MPI(caucus_channel_close(&channel));
    check_null(copy, "not open");
}

int main(int argc, char **argv) {
    caucus_channel_options options = {.deliver = deliver};
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    check_open();
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &opened));
    caucus_channel copy = opened;
    check_calls();
    check_allreduce();
    CHECK_MPI(caucus_cast(opened, "abc", 3));
    CHECK_MPI(caucus_channel_quiesce(opened));
    CHECK(delivered == world_size() - 1, "%d messages", delivered);
    CHECK_MPI(caucus_channel_close(&opened));
    CHECK(opened == CAUCUS_CHANNEL_NULL, "it is not null");
    check_null(copy, "not open");
    check_receive();
    check_freed();
    MPI_Finalize();
    return 0;
}
