/* SPDX-License-Identifier: BSD-3-Clause */
/* What a channel counts, exactly where that does not depend on time.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=MPIR_CVAR_NUM_CLIQUES=2 env=MPIR_CVAR_CLIQUES_BY_BLOCK=1 */
#include "check.h"

#include <caucus/caucus.h>

#include <sched.h>

enum { SEGMENT = 100, SHORT = 40, LONG = 950, CASTS = 20 };

static int got;
static caucus_channel channel;

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    got++;
}

static MPI_Count sum(MPI_Count value) {
    long long own = value, all;
    MPI_Allreduce(&own, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void check_paths(const caucus_channel_counters *counters, int order) {
    MPI_Count n = world_size(), pieces = (LONG + SEGMENT - 1) / SEGMENT, each = SHORT + LONG;
    /* n - 1 sends of every piece, of which those of the origins are no forwards */
    CHECK(sum(counters->sends) == CASTS * n * (n - 1) * (1 + pieces), "%lld sends",
          (long long)sum(counters->sends));
    CHECK(sum(counters->sent_bytes) == CASTS * n * (n - 1) * each, "%lld bytes sent",
          (long long)sum(counters->sent_bytes));
    CHECK(counters->forwards >= 0 && counters->forwards <= counters->sends, "%lld forwards",
          (long long)counters->forwards);
    /* every piece goes along its path, and hops count whole messages */
    CHECK(counters->longest_path <= 2 * n && counters->hops >= counters->deliveries - 2 * CASTS,
          "%lld hops", (long long)counters->hops);
    if (n == 2)
        CHECK(counters->hops == 2 * CASTS && counters->longest_path == 1 && counters->forwards == 0,
              "%lld hops", (long long)counters->hops);
    if (n == 3 && order == CAUCUS_ORDER_FIFO) /* each has a child and a grandchild, or two */
        CHECK(sum(counters->hops) == 2 * CASTS * 3 * 2 + sum(counters->forwards) / (1 + pieces) * 2,
              "%lld hops", (long long)sum(counters->hops));
    CHECK(counters->refusals == 0 && counters->peak_inbox == 0, "%lld refusals",
          (long long)counters->refusals);
    CHECK((n == 1) == (counters->peak_held == 0) && (n == 1) == (counters->peak_sends == 0),
          "peaks %lld, %lld", (long long)counters->peak_held, (long long)counters->peak_sends);
    CHECK(counters->stalls <= counters->casts &&
              (counters->stalls > 0 || !counters->stalled_seconds),
          "%lld stalls of %g s", (long long)counters->stalls, counters->stalled_seconds);
}

static void check_counters(int order) {
    caucus_channel_options options = {
        .deliver = deliver, .order = order, .segment = SEGMENT, .credits = 2};
    caucus_channel_counters counters;
    char bytes[LONG] = {0};
    MPI_Count n = world_size();
    MPI_Count hearers = order == CAUCUS_ORDER_TOTAL ? n : n - 1, each = SHORT + LONG;
    got = 0;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    for (int i = 0; i < CASTS; i++) {
        CHECK_MPI(caucus_cast(channel, bytes, SHORT));
        CHECK_MPI(caucus_cast(channel, bytes, LONG));
    }
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK_MPI(caucus_channel_statistics(channel, &counters));
    CHECK(counters.casts == 2 * CASTS && counters.cast_bytes == CASTS * each, "%lld casts",
          (long long)counters.casts);
    CHECK(counters.deliveries == got && got == 2 * CASTS * hearers, "%d messages", got);
    CHECK(counters.delivered_bytes == CASTS * each * hearers, "%lld bytes",
          (long long)counters.delivered_bytes);
    check_paths(&counters, order);
    CHECK_MPI(caucus_channel_close(&channel));
}

/* Rank 0 casts while the others do not poll: exactly what has no room is refused or stalls. */
static void check_stalls(void) {
    caucus_channel_options options = {.credits = 2, .inbox = 1000};
    caucus_channel_counters counters;
    caucus_delivery delivery;
    int accepted = 1, casts = 0;
    if (world_size() == 1)
        return;
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    if (world_rank() == 0) {
        for (; accepted; casts += accepted)
            CHECK_MPI(caucus_try_cast(channel, "", 0, &accepted));
        CHECK_MPI(caucus_channel_statistics(channel, &counters));
        CHECK(counters.refusals == 1 && counters.casts == casts && counters.stalls == 0,
              "%lld refusals", (long long)counters.refusals);
    }
    casts++;
    MPI_Bcast(&casts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (world_rank() == 0) {
        CHECK_MPI(caucus_cast(channel, "", 0)); /* they receive in a moment */
        CHECK_MPI(caucus_channel_statistics(channel, &counters));
        CHECK(counters.stalls <= 1 && counters.casts == casts, "%lld stalls",
              (long long)counters.stalls);
    }
    for (int i = 0; i < casts && world_rank() > 0; i++)
        CHECK_MPI(caucus_channel_recv(channel, &delivery));
    CHECK_MPI(caucus_channel_close(&channel));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    check_counters(CAUCUS_ORDER_FIFO);
    check_counters(CAUCUS_ORDER_CAUSAL);
    check_counters(CAUCUS_ORDER_TOTAL);
    check_stalls();
    MPI_Finalize();
    return 0;
}
