/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that does nothing but cast looks for what lets its casts go once in a while by the clock,
 * and not at other casts: these go together. The clock is a function of this program, which the
 * library finds before the C library's.
 *
 * run: ranks=2
 * run: ranks=2 env=CAUCUS_SHARED_MEMORY=0 */
#define _GNU_SOURCE
#include "check.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <time.h>

enum { HEARER, CASTER, CASTS = 10, GO = 1, DONE = 2 };

static bool stands;
static caucus_channel channel;
static int got;

int clock_gettime(clockid_t clock, struct timespec *at) {
    int (*next)(clockid_t, struct timespec *);
    *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (!stands)
        return next(clock, at);
    *at = (struct timespec){.tv_sec = 1000};
    return 0;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    got++;
}

static void cast(int count) {
    for (int i = 0; i < count; i++)
        CHECK_MPI(caucus_cast(channel, "", 0));
}

static caucus_channel_counters counters(void) {
    caucus_channel_counters now;
    CHECK_MPI(caucus_channel_statistics(channel, &now));
    return now;
}

/* It looks at the third cast, the first that waits for company: too early for its turn. Then that
 * is here, and not looked for while the clock stands. */
static void cast_alone(void) {
    stands = true;
    cast(3);
    MPI_Send(NULL, 0, MPI_BYTE, HEARER, GO, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_BYTE, HEARER, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cast(CASTS - 3);
    CHECK(counters().sends == 0, "%d sends", (int)counters().sends);
    stands = false;
}

/* Until it has sent the turn. */
static void hear(void) {
    MPI_Recv(NULL, 0, MPI_BYTE, CASTER, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (counters().controls == 0)
        CHECK_MPI(caucus_channel_poll(channel));
    MPI_Send(NULL, 0, MPI_BYTE, CASTER, DONE, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    caucus_channel_options options = {.deliver = deliver, .order = CAUCUS_ORDER_TOTAL};
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (world_rank() == CASTER)
        cast_alone();
    else
        hear();
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK(got == CASTS, "%d messages came", got);
    CHECK_MPI(caucus_channel_close(&channel));
    MPI_Finalize();
    return 0;
}
