/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes nothing, so after a death it does not catch up, and all that others cast then waits
 * at it: as much as there is room for on its links. Then another rank dies, and the others fill
 * those links once more. With "reports" one rank says besides of each message that it has taken it.
 * When rank 0 receives at last nothing is missing.
 *
 * run: ranks=8 args=twice deaths mpi=openmpi output="rank 0 has got all"
 * run: ranks=9 args=reports deaths mpi=openmpi output="rank 0 has got all" */
#include "check.h"

#include <caucus/caucus.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { CREDITS = 64, LENGTH = 64, MOST = 16, MISSES = 3 };

static const double vain = 0.3; /* seconds without room, until there will be none */

struct letter {
    int64_t origin, number;
    unsigned char rest[LENGTH - 2 * sizeof(int64_t)];
};

static caucus_channel channel;
static int rank, ranks;
static int64_t casts, got[MOST], heard;

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

static unsigned char filling(const struct letter *letter, size_t i) {
    return (unsigned char)(letter->origin * 5 + letter->number * 31 + (int64_t)i);
}

static void hear(void *context, const caucus_delivery *delivery) {
    struct letter letter;
    (void)context;
    CHECK(delivery->length == LENGTH, "%lld bytes", (long long)delivery->length);
    memcpy(&letter, delivery->bytes, sizeof letter);
    int64_t *next = &got[delivery->origin];
    CHECK(letter.origin == delivery->origin && letter.number == *next,
          "number %lld of %lld came from rank %d, %lld was next", (long long)letter.number,
          (long long)letter.origin, delivery->origin, (long long)*next);
    for (size_t i = 0; i < sizeof letter.rest; i++)
        CHECK(letter.rest[i] == filling(&letter, i), "byte %zu", i);
    (*next)++;
    heard++;
}

static bool cast(void) {
    struct letter letter = {.origin = rank, .number = casts};
    int accepted;
    for (size_t i = 0; i < sizeof letter.rest; i++)
        letter.rest[i] = filling(&letter, i);
    CHECK_CALL(caucus_try_cast(channel, &letter, sizeof letter, &accepted));
    casts += accepted;
    return accepted;
}

static void storm(void) {
    for (double last = MPI_Wtime(); MPI_Wtime() - last < vain; sched_yield())
        if (cast())
            last = MPI_Wtime();
}

static void poll(void) {
    CHECK_CALL(caucus_channel_poll(channel));
    sched_yield();
}

static void wait_for_dead(int wanted) {
    for (int count = 0; count < wanted; poll())
        CHECK_CALL(caucus_channel_dead(channel, 0, NULL, &count));
}

static void poll_until(MPI_Request *request) {
    for (int done = 0; !done; poll())
        CHECK_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE));
}

static void tell(int to, int64_t number) {
    MPI_Request request;
    CHECK_MPI(MPI_Isend(&number, 1, MPI_INT64_T, to, 0, MPI_COMM_WORLD, &request));
    poll_until(&request);
}

static int64_t hear_of(int from) {
    MPI_Request request;
    int64_t number;
    CHECK_MPI(MPI_Irecv(&number, 1, MPI_INT64_T, from, 0, MPI_COMM_WORLD, &request));
    poll_until(&request);
    return number;
}

/* The last rank, which has what rank 0 lacks. */
static void die_first(void) {
    while (!got[1])
        poll();
    raise(SIGKILL);
}

/* First as many as the links to rank 0 have credits, so that nobody has cast what he may before the
 * others know that all have it. */
static void cast_in_two_views(void) {
    bool fills = rank == ranks - 2 || rank == ranks - 3 || rank == ranks - 5;
    for (int sent = 0; fills && sent < CREDITS; poll())
        sent += cast();
    for (int from = 1; rank == ranks - 2 && from < rank; from++)
        hear_of(from);
    if (rank == ranks - 2)
        raise(SIGKILL);
    tell(ranks - 2, 0);
    wait_for_dead(2);
    storm();
}

/* Rank 1 has one message of another at a time, rests, and so reports it. */
static void pace(int from) {
    for (int misses = 0, quiet; misses < MISSES;) {
        int64_t before = heard;
        tell(from, 1);
        bool waits = hear_of(from);
        for (double begin = MPI_Wtime(); waits && heard == before; sched_yield()) {
            CHECK_CALL(caucus_channel_try_quiesce(channel, &quiet));
            waits = MPI_Wtime() - begin < vain;
        }
        CHECK_CALL(caucus_channel_try_quiesce(channel, &quiet));
        misses = heard > before ? 0 : misses + 1;
    }
    tell(from, 0);
}

/* Those whose casts reach rank 1 without rank 0 are paced. */
static void cast_for_reports(void) {
    if (rank == 1) {
        for (int from = 3; from < ranks - 1; from += 2)
            pace(from);
    } else if (rank % 2) {
        while (hear_of(1))
            tell(1, cast());
    } else {
        storm();
    }
}

static bool receive(void) {
    caucus_delivery delivery;
    int received;
    CHECK_CALL(caucus_channel_try_recv(channel, &delivery, &received));
    if (received)
        hear(NULL, &delivery);
    return received;
}

static void receive_all(int last) {
    int64_t cast_by[MOST];
    for (int from = 1; from <= last; from++)
        cast_by[from] = hear_of(from);
    for (int quiet = 0; !quiet; sched_yield())
        if (!receive())
            CHECK_CALL(caucus_channel_try_quiesce(channel, &quiet));
    for (int from = 1; from <= last; from++)
        CHECK(got[from] == cast_by[from], "%lld of %lld of rank %d", (long long)got[from],
              (long long)cast_by[from], from);
}

int main(int argc, char **argv) {
    int provided;
    bool reports = argc > 1 && !strcmp(argv[1], "reports");
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    rank = world_rank();
    ranks = world_size();
    return_errors(MPI_COMM_WORLD);
    caucus_channel_options options = {.deliver = rank ? hear : NULL,
                                      .credits = CREDITS,
                                      .segment = LENGTH,
                                      .inbox = 1,
                                      .survives = 1};
    CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (rank == 1)
        CHECK(cast(), "the first cast had no room");
    if (rank == ranks - 1)
        die_first();
    if (rank == 0) {
        receive_all(reports ? ranks - 2 : ranks - 3);
    } else {
        wait_for_dead(1);
        if (reports)
            cast_for_reports();
        else
            cast_in_two_views();
        tell(0, casts);
        CHECK_CALL(caucus_channel_quiesce(channel));
    }
    CHECK_CALL(caucus_channel_close(&channel));
    if (rank == 0)
        printf("rank 0 has got all: %lld messages\n", (long long)heard);
    fflush(stdout);
    _exit(0); /* Open MPI 5.0.11's MPI_Finalize waits for ever after some deaths */
}
