/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks cast at random on channels of three orders, and some die in the middle of it: those
 * that live have delivered the same messages of everybody, once and in order, and go on.
 *
 * run: ranks=5 args="1 1" deaths mpi=openmpi output="4 are left and agree"
 *
 * run: ranks=5 args="3 2" deaths mpi=openmpi output="3 are left and agree"
 *
 * run: ranks=6 args="4 2" deaths mpi=openmpi output="4 are left and agree"
 *
 * run: ranks=6 args="5 3" deaths mpi=openmpi output="3 are left and agree"
 *
 * run: ranks=3 args="6 2" deaths mpi=openmpi output="1 are left and agree"
 *
 * run: ranks=4 args="7 0" deaths mpi=openmpi output="4 are left and agree"
 */
#include "check.h"

#include <caucus/caucus.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHANNELS = 3, MOST = 64, LONGEST = 20000, PATIENCE = 60, AFTER = 100 };

struct message {
    int64_t origin, sequence, length;
    unsigned char bytes[LONGEST];
};

struct report {
    int64_t sent[CHANNELS], got[CHANNELS][MOST], order;
    double longest;
};

struct listener {
    int channel, rank, ranks;
    struct report *report;
};

#define CHECK_CALL(call) CHECK((call) == MPI_SUCCESS, "%s", caucus_error_text())

static uint64_t state;

static int64_t below(int64_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(state >> 33) % limit;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned char fill(const struct message *message, int64_t i) {
    return (unsigned char)(message->origin * 5 + message->sequence * 31 + i);
}

enum { HEAD = 3 * sizeof(int64_t) };

static void hear(void *context, const caucus_delivery *delivery) {
    struct listener *listener = context;
    static struct message message;
    CHECK(delivery->length >= (MPI_Count)HEAD && delivery->total == delivery->length,
          "%lld of %lld", (long long)delivery->length, (long long)delivery->total);
    memcpy(&message, delivery->bytes, (size_t)delivery->length);
    int64_t *got = &listener->report->got[listener->channel][delivery->origin];
    CHECK(message.origin == delivery->origin && message.sequence == *got &&
              message.length == delivery->length,
          "number %lld of %lld came from %d, %lld was next", (long long)message.sequence,
          (long long)message.origin, delivery->origin, (long long)*got);
    for (int64_t i = 0; i < message.length - HEAD; i++)
        CHECK(message.bytes[i] == fill(&message, i), "byte %lld", (long long)i);
    (*got)++;
    if (listener->channel == 2)
        listener->report->order = listener->report->order * 31 + delivery->origin + 1;
}

static int count_dead(caucus_channel channel) {
    int count;
    CHECK_CALL(caucus_channel_dead(channel, 0, NULL, &count));
    return count;
}

static bool cast(caucus_channel channel, int64_t *sent, int rank) {
    static struct message message;
    int accepted;
    int64_t length = below(20) ? below(300) : below(LONGEST);
    message.origin = rank;
    message.sequence = *sent;
    message.length = HEAD + length;
    for (int64_t i = 0; i < length; i++)
        message.bytes[i] = fill(&message, i);
    CHECK_CALL(caucus_try_cast(channel, &message, message.length, &accepted));
    *sent += accepted;
    return accepted;
}

/* Until `deaths` ranks are dead, and some time on. */
static void storm(caucus_channel *channel, struct report *report, int rank, int deaths,
                  int64_t dies_at) {
    int64_t casts = 0, after[CHANNELS] = {0};
    double begin = seconds(), last = begin;
    for (bool done = false; !done;) {
        int at = (int)below(CHANNELS);
        if (casts == dies_at)
            raise(SIGKILL);
        if (!below(50)) /* others flush by themselves */
            CHECK_CALL(caucus_channel_poll(channel[at]));
        bool late = count_dead(channel[at]) == deaths;
        if (after[at] < AFTER && cast(channel[at], &report->sent[at], rank)) {
            double now = seconds();
            report->longest = now - last > report->longest ? now - last : report->longest;
            last = now;
            casts++;
            after[at] += late;
        } else {
            CHECK_CALL(caucus_channel_poll(channel[at]));
        }
        done = true;
        for (int i = 0; i < CHANNELS; i++)
            done = done && after[i] >= AFTER;
        CHECK(seconds() - begin < PATIENCE, "%d are dead of %d", count_dead(channel[at]), deaths);
    }
}

static void finish(caucus_channel *channel) {
    for (int left = CHANNELS; left;) {
        static int quiet[CHANNELS];
        left = 0;
        for (int i = 0; i < CHANNELS; i++) {
            if (quiet[i])
                CHECK_CALL(caucus_channel_poll(channel[i]));
            else
                CHECK_CALL(caucus_channel_try_quiesce(channel[i], &quiet[i]));
            left += !quiet[i];
        }
    }
    for (int i = 0; i < CHANNELS; i++)
        CHECK_CALL(caucus_channel_close(&channel[i]));
}

/* What rank i has of rank o, of which `first` is a survivor that has it too. */
static void check_pair(const struct report *all, int c, int i, int o, bool dead, int first) {
    if (i == o && c != 2)
        return;
    int64_t right = !dead ? all[o].sent[c] : all[first].got[c][o];
    CHECK(all[i].got[c][o] == right, "channel %d: rank %d has %lld of rank %d%s, not %lld", c, i,
          (long long)all[i].got[c][o], o, dead ? ", which is dead" : "", (long long)right);
}

static void compare(struct report *mine, int rank, int ranks, const bool *dead) {
    static struct report all[MOST];
    int first = 0, left = 0;
    int64_t casts = 0;
    double longest = 0;
    while (dead[first])
        first++;
    if (rank != first) {
        CHECK_MPI(MPI_Send(mine, sizeof *mine, MPI_BYTE, first, 0, MPI_COMM_WORLD));
        MPI_Recv(NULL, 0, MPI_BYTE, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return; /* who goes earlier seems to be dead before his message came */
    }
    all[rank] = *mine;
    for (int i = rank + 1; i < ranks; i++)
        if (!dead[i])
            CHECK_MPI(MPI_Recv(&all[i], sizeof all[i], MPI_BYTE, i, 0, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
    for (int i = 0; i < ranks; i++) {
        if (dead[i])
            continue;
        left++;
        longest = all[i].longest > longest ? all[i].longest : longest;
        for (int c = 0; c < CHANNELS; c++)
            casts += all[i].sent[c];
        for (int c = 0; c < CHANNELS; c++)
            for (int o = 0; o < ranks; o++)
                check_pair(all, c, i, o, dead[o], first);
        CHECK(all[i].order == mine->order, "rank %d has another order", i);
    }
    for (int i = rank + 1; i < ranks; i++)
        if (!dead[i])
            CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, i, 1, MPI_COMM_WORLD));
    printf("%d are left and agree; longest wait %.3f s; %lld casts\n", left, longest,
           (long long)casts);
}

int main(int argc, char **argv) {
    static struct report report;
    static struct listener listener[CHANNELS];
    int provided, deaths = argc > 2 ? atoi(argv[2]) : 0;
    int64_t seed = argc > 1 ? atoi(argv[1]) : 1, dies_at = -1;
    caucus_channel channel[CHANNELS];
    bool dead[MOST] = {false};
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    int rank = world_rank(), ranks = world_size();
    return_errors(MPI_COMM_WORLD);
    state = (uint64_t)seed * 77;
    for (int i = 0; i < deaths; i++) { /* the same on all ranks */
        int victim;
        do
            victim = (int)below(ranks);
        while (dead[victim]);
        dead[victim] = true;
        int64_t at = 1 + below(1500);
        dies_at = victim == rank ? at : dies_at;
    }
    state = (uint64_t)seed * 1000 + (uint64_t)rank;
    for (int i = 0; i < CHANNELS; i++) {
        listener[i] = (struct listener){i, rank, ranks, &report};
        caucus_channel_options options = {.deliver = hear,
                                          .context = &listener[i],
                                          .order = CAUCUS_ORDER_FIFO + i,
                                          .credits = i == 1 ? 2 : 8,
                                          .segment = 4096,
                                          .survives = 1,
                                          .keeps = 4 << 20};
        CHECK_CALL(caucus_channel_open(MPI_COMM_WORLD, &options, &channel[i]));
    }
    storm(channel, &report, rank, deaths, dies_at);
    finish(channel);
    compare(&report, rank, ranks, dead);
    fflush(stdout);
    if (deaths > 0)
        _exit(0); /* Open MPI 5.0.11's MPI_Finalize waits for ever after some deaths */
    MPI_Finalize();
    return 0;
}
