/* SPDX-License-Identifier: BSD-3-Clause */
/* Flushes with threads: when one returns, the callbacks of the others have returned, and not only
 * begun; and one ends also if another thread's, which it has waited for, came back and is not
 * called again.
 *
 * run: ranks=2 */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

enum { TURNS = 200, SEGMENT = 64 };

static caucus_channel channel;
static atomic_int got;
static atomic_bool flushing, flushed;

static void nap(long microseconds) {
    const struct timespec time = {.tv_nsec = 1000 * microseconds};
    nanosleep(&time, NULL);
}

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    nap(50);
    got++;
}

/* While rank 1 waits for word from rank 0 the channel's thread calls back. */
static void check_callbacks(void) {
    caucus_channel_options options = {.deliver = deliver, .progress = 1};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int turn = 0; turn < TURNS; turn++) {
        if (world_rank() == 0) {
            CHECK_MPI(caucus_cast(channel, &turn, sizeof turn));
            CHECK_MPI(caucus_channel_flush(channel));
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD));
        } else {
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(got > turn, "flushed after %d messages, %d were delivered", turn + 1, got);
        }
    }
    CHECK_MPI(caucus_channel_close(&channel));
}

static void *flush(void *unused) {
    (void)unused;
    while (!flushing)
        sched_yield();
    nap(20000);
    CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD));
    CHECK_MPI(caucus_channel_flush(channel));
    flushed = true;
    return NULL;
}

static void receive(void) {
    caucus_delivery delivery;
    CHECK_MPI(caucus_channel_recv(channel, &delivery));
}

/* The thread that receives has to do that while it flushes, and then does nothing else. */
static void flush_twice(void) {
    pthread_t other;
    caucus_delivery delivery;
    int received;
    receive();
    CHECK_MPI(caucus_cast(channel, "", 0));
    CHECK(pthread_create(&other, NULL, flush, NULL) == 0, "no thread");
    flushing = true;
    int code = caucus_channel_flush(channel);
    CHECK(code == MPI_ERR_PENDING, "code %d: %s", code, caucus_error_text());
    CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD));
    for (; !flushed; sched_yield())
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
    pthread_join(other, NULL);
    CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD));
}

/* What it casts has no room in the other one's inbox; what is cast to it, none in its own. */
static void let_flush(void) {
    MPI_Request request;
    int done = 0;
    CHECK_MPI(caucus_cast(channel, "", 0));
    CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    nap(50000); /* until the other thread flushes, too */
    CHECK_MPI(caucus_cast(channel, "", 0));
    CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    receive();
    CHECK_MPI(MPI_Irecv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    for (; !done; sched_yield()) {
        CHECK_MPI(caucus_channel_poll(channel));
        CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
}

static void check_left_flush(void) {
    caucus_channel_options options = {.credits = 2, .segment = SEGMENT, .inbox = 1};
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (world_rank() == 0)
        flush_twice();
    else
        let_flush();
    caucus_delivery delivery;
    for (int quiet = 0, received; !quiet; sched_yield()) {
        CHECK_MPI(caucus_channel_try_recv(channel, &delivery, &received));
        if (!received)
            CHECK_MPI(caucus_channel_try_quiesce(channel, &quiet));
    }
    CHECK_MPI(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    return_errors(MPI_COMM_WORLD);
    check_callbacks();
    check_left_flush();
    MPI_Finalize();
    return 0;
}
