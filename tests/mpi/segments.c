/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments that the ranks of a node share: made while signals come all the time, as those of a
 * profiler do; and not made where one of the ranks wants none, without a second try and with words
 * that say so. This program's posix_fallocate, which the library finds before the C library's,
 * counts, and does what that of many kernels does, where newer ones (6.18, say) go on: a signal
 * undoes it.
 *
 * run: ranks=2,3 */
#define _GNU_SOURCE
#include "check.h"

#include "base/status.h"
#include "run/memory/segment.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>

static const int64_t LARGE = 128 << 20, SMALL = 64 << 10;
enum { TOO_OFTEN = 400 };

static _Atomic int ticks;
static int taken, interrupted;

int posix_fallocate(int file, off_t offset, off_t length) {
    int (*real)(int, off_t, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "posix_fallocate");
    int before = ticks, error = real(file, offset, length);
    if (error == 0 && ticks != before) {
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
        error = EINTR;
    }
    taken += error == 0;
    interrupted += error == EINTR;
    CHECK(interrupted < TOO_OFTEN, "interrupted for ever at %lld of %lld bytes", (long long)offset,
          (long long)length);
    return error;
}

static void tick(int number) {
    (void)number;
    atomic_fetch_add(&ticks, 1);
}

/* Every so many microseconds; 0: never. */
static void tick_every(int microseconds) {
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0, "no handler");
    CHECK(setitimer(ITIMER_REAL, &interval, NULL) == 0, "no timer");
}

static void make_among_signals(const struct caucus_peers *peers) {
    struct caucus_segment segment;
    tick_every(1000);
    int status = caucus_segment_create(peers, LARGE, &segment);
    tick_every(0);
    CHECK(status == CAUCUS_OK, "%s", caucus_error_text());
    CHECK(segment.base[0] == 0 && segment.base[LARGE - 1] == 0, "it is not zeroed");
    CHECK(peers->rank > 0 || (ticks > 0 && taken > 1), "%d signals, %d pieces", ticks, taken);
    caucus_segment_free(&segment);
}

/* Rank `without` wants none; nobody is without where there is no such rank. */
static void make_without(const struct caucus_peers *peers, int without) {
    const bool wants = peers->rank != without, any = without < peers->size;
    struct caucus_segment segment;
    taken = 0;
    int status = caucus_segment_create(peers, wants ? SMALL : -1, &segment);
    CHECK((status != CAUCUS_OK) == any, "rank %d wants none: %d", without, status);
    CHECK(taken == (peers->rank == 0 && without > 0), "taken %d times: rank %d wants none", taken,
          without);
    CHECK(wants || strstr(caucus_error_text(), "not wanted"), "%s", caucus_error_text());
    caucus_segment_free(&segment);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct caucus_peers peers = caucus_peers_all(MPI_COMM_WORLD);
    make_among_signals(&peers);
    for (int without = 0; without <= peers.size; without++)
        make_without(&peers, without);
    MPI_Finalize();
    return 0;
}
