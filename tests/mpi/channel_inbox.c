/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels without callbacks: what comes is kept within the inbox's bound, ranks that do not
 * receive make casters wait, and those that wait say so instead of waiting for each other.
 *
 * run: ranks=2,3,5 */
#include "check.h"

#include <caucus/caucus.h>

#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { SEGMENT = 64, INBOX = 2000, LONG = 5000, MOST_RANKS = 8 };

static caucus_channel open_channel(MPI_Count memory) {
    caucus_channel channel;
    caucus_channel_options options = {
        .credits = 1, .segment = SEGMENT, .memory = memory, .inbox = INBOX};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    return channel;
}

/* Until a nonblocking barrier is through: how ranks wait that must go on. */
static void meet(caucus_channel channel) {
    MPI_Request barrier;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        CHECK_MPI(caucus_channel_poll(channel));
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        sched_yield();
    }
}

static void receive_all(caucus_channel channel, const int *cast_by) {
    int got[MOST_RANKS] = {0};
    caucus_delivery delivery;
    for (int quiet = 0, received; !quiet; sched_yield()) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        if (!received) {
            CHECK_MPI(caucus_channel_try_quiesce(channel, &quiet));
            continue;
        }
        int number;
        memcpy(&number, delivery.bytes, sizeof number);
        CHECK(number == got[delivery.origin]++, "message %d of %d", number, delivery.origin);
    }
    for (int r = 0; r < world_size(); r++)
        CHECK(r == world_rank() || got[r] == cast_by[r], "%d of %d of rank %d", got[r], cast_by[r],
              r);
}

/* Rank 0 casts while nobody receives, though all poll. */
static void check_bound(void) {
    caucus_channel channel = open_channel(0);
    int message[SEGMENT / sizeof(int)] = {0}, casts[MOST_RANKS] = {0}, hops = 0;
    double last = MPI_Wtime(); /* that something was accepted */
    while (world_rank() == 0 && MPI_Wtime() - last < 0.3) {
        int accepted;
        message[0] = casts[0];
        CHECK_MPI(caucus_try_cast(channel, message, sizeof message, &accepted));
        casts[0] += accepted;
        last = accepted ? MPI_Wtime() : last;
        sched_yield();
    }
    meet(channel);
    MPI_Bcast(casts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    while (1 << (hops + 1) <= world_size())
        hops++;
    int kept = INBOX / SEGMENT; /* at most, and at least a third of it: entries take room too */
    CHECK(casts[0] >= kept / 3 && casts[0] <= kept + hops + 1, "%d casts", casts[0]);
    receive_all(channel, casts);
    CHECK_MPI(caucus_channel_close(&channel));
}

/* All cast, and receive only when they are told to. */
static void check_pending(void) {
    enum { CASTS = 200 };
    caucus_channel channel = open_channel(0);
    caucus_delivery delivery;
    int message[SEGMENT / sizeof(int)] = {0}, told = 0, got = 0;
    while (message[0] < CASTS) {
        int code = caucus_cast(channel, message, sizeof message), class;
        message[0] += code == MPI_SUCCESS;
        if (code == MPI_SUCCESS)
            continue;
        MPI_Error_class(code, &class);
        CHECK(class == MPI_ERR_PENDING && strstr(caucus_error_text(), "inbox of 2000 bytes"),
              "%d: %s", class, caucus_error_text());
        CHECK_MPI(caucus_channel_recv(channel, &delivery)); /* which does not wait */
        told++, got++;
    }
    for (; got < CASTS * (world_size() - 1); got++)
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
    CHECK_MPI(caucus_channel_quiesce(channel));
    MPI_Allreduce(MPI_IN_PLACE, &told, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(told > 0, "nobody was told");
    CHECK_MPI(caucus_channel_close(&channel));
}

static void expect_pending(int code) {
    CHECK(code == MPI_ERR_PENDING && strstr(caucus_error_text(), "waits to be received"), "%d: %s",
          code, caucus_error_text());
}

/* The same clock for all processes of a machine. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Neither quiet nor the end come before everything was received. */
static void check_end(void) {
    caucus_channel channel = open_channel(0);
    caucus_delivery delivery;
    for (int ends = 0; ends < 2; ends++) {
        double seconds = 0; /* when it received */
        if (world_rank() == 0) {
            CHECK_MPI(caucus_cast(channel, "12345", 5));
        } else {
            expect_pending(ends ? caucus_channel_close(&channel) : caucus_channel_quiesce(channel));
            expect_pending(ends ? caucus_channel_close(&channel) : caucus_channel_quiesce(channel));
            seconds = now() + 0.05; /* the others might be told that all is quiet */
            while (now() < seconds)
                CHECK_MPI(caucus_channel_poll(channel));
            CHECK_MPI(caucus_channel_recv(channel, &delivery));
            CHECK(delivery.length == 5 && !memcmp(delivery.bytes, "12345", 5), "%lld bytes",
                  (long long)delivery.length);
        }
        CHECK_MPI(ends ? caucus_channel_close(&channel) : caucus_channel_quiesce(channel));
        double quiet = now();
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(quiet > seconds, "quiet %g s before all was received", seconds - quiet);
    }
}

/* Blocking casts of what no inbox can keep, whole or in pieces: none waits for ever. */
static void check_long(MPI_Count memory) {
    caucus_channel channel = open_channel(memory);
    caucus_delivery delivery;
    static int message[LONG / sizeof(int)];
    int next = world_size() - 1;
    MPI_Count bytes = 0;
    for (int i = 0; i < (int)(LONG / sizeof(int)); i++)
        message[i] = world_rank() + i;
    CHECK_MPI(caucus_cast(channel, message, LONG));
    memset(message, 0, sizeof message); /* it may be used again */
    while (next > 0) {
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
        CHECK(delivery.total == LONG && delivery.offset == bytes, "%lld of %lld",
              (long long)delivery.offset, (long long)delivery.total);
        CHECK(delivery.length == (memory < LONG ? SEGMENT : LONG) ||
                  delivery.offset + delivery.length == LONG,
              "%lld bytes", (long long)delivery.length);
        bytes = (bytes + delivery.length) % LONG;
        next -= bytes == 0;
        for (MPI_Count i = 0; i < delivery.length / 4; i++) {
            int value;
            memcpy(&value, (const char *)delivery.bytes + 4 * i, sizeof value);
            CHECK(value == delivery.origin + delivery.offset / 4 + i, "value %d", value);
        }
    }
    CHECK_MPI(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    check_bound();
    check_pending();
    check_end();
    check_long(0);
    check_long(100);
    MPI_Finalize();
    return 0;
}
