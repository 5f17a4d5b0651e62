/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine gives no shared memory to some: collectives of a group, and of a communicator, are
 * right all the same, and those made afterwards have it again. There is a limit on the size of
 * files (ulimit -f), beyond which the kernel ends a process by a signal that is not ignored here.
 * This program's posix_fallocate, which the library finds before the C library's, counts what is
 * granted while the limit is there, and while there is none.
 *
 * run: ranks=2,4 env=CAUCUS_GROUP_CALLS=0
 * run: ranks=5 env=CAUCUS_GROUP_CALLS=0 env=CAUCUS_NODES=3,2 */
#define _GNU_SOURCE
#include "check.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

static int rank, ranks;
static struct rlimit before;
static bool counts;
static int granted;

int posix_fallocate(int file, off_t offset, off_t length) {
    int (*real)(int, off_t, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "posix_fallocate");
    int error = real(file, offset, length);
    granted += counts && error == 0;
    return error;
}

/* On this rank, or all with -1. What is taken until lift() counts. */
static void limit_files(int on) {
    struct rlimit limit = before;
    if (on == rank || on < 0)
        limit.rlim_cur = 4096;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit could be set");
    counts = true;
}

static void lift(void) {
    counts = false;
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0, "the limit stays");
}

static void check_group(caucus_group group, int size) {
    enum { MOST = 5000 };
    static double in[MOST], out[MOST];
    static const int numbers[] = {0, 1, 100, MOST};
    int own;
    caucus_group_rank(group, &own);
    for (int i = 0; i < 4; i++) {
        int n = numbers[i];
        for (int at = 0; at < n; at++)
            in[at] = own + at, out[at] = -1;
        CHECK_MPI(caucus_group_allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, group));
        for (int at = 0; at < n; at++)
            CHECK(out[at] == size * (size - 1) / 2.0 + size * at, "%d of %d: %g", at, n, out[at]);
        CHECK_MPI(caucus_group_bcast(in, n, MPI_DOUBLE, size - 1, group));
        for (int at = 0; at < n; at++)
            CHECK(in[at] == size - 1 + at, "%d of %d: %g", at, n, in[at]);
    }
    CHECK_MPI(caucus_group_barrier(group));
}

/* Rank 0 makes segments for its node; most others make none. */
static void check_granted(bool limited) {
    CHECK(!limited || granted == 0, "granted %d times beyond the limit", granted);
    CHECK(limited || rank > 0 || granted > 0, "nothing was granted");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    ranks = world_size();
    signal(SIGXFSZ, SIG_DFL);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0, "the limit is unknown");
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int on = -1; on <= ranks; on++) { /* the last one limits nobody */
        granted = 0;
        for (int first = 0; first < 2 && first < ranks; first++) {
            caucus_group group = CAUCUS_GROUP_NULL;
            if (rank >= first) {
                CHECK_MPI(caucus_group_create_range(comm, first, ranks - 1, 1, &group));
                limit_files(on);
                CHECK_MPI(caucus_group_barrier(group));
                lift();
                check_group(group, ranks - first);
                CHECK_MPI(caucus_group_free(&group));
            }
        }
        MPI_Comm other;
        caucus_group group;
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
        limit_files(on);
        CHECK_MPI(caucus_comm_attach(other));
        lift();
        CHECK_MPI(caucus_group_from_comm(other, &group));
        check_group(group, ranks);
        CHECK_MPI(caucus_group_free(&group));
        MPI_Comm_free(&other);
        check_granted(on == rank || on < 0);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
