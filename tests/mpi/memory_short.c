/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine gives no shared memory to some: collectives of a group, and of a communicator, are
 * right all the same, and those made afterwards have it again. The limit on the size of files is
 * what makes posix_fallocate fail; that of this program, which the library finds before the C
 * library's, counts how often it is granted and how often it is not.
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
static int granted, refused;

int posix_fallocate(int file, off_t offset, off_t length) {
    int (*real)(int, off_t, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "posix_fallocate");
    int error = real(file, offset, length);
    *(error ? &refused : &granted) += 1;
    return error;
}

/* On this rank, or all with -1. */
static void limit_files(int on) {
    struct rlimit limit = before;
    if (on == rank || on < 0)
        limit.rlim_cur = 4096;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit could be set");
}

static void lift(void) {
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
static void check_refusals(bool limited) {
    CHECK(limited || refused == 0, "refused %d times without a limit", refused);
    CHECK(rank > 0 || (limited ? refused > 0 : granted > 0), "refused %d times, granted %d times",
          refused, granted);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    ranks = world_size();
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0, "the limit is unknown");
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int on = -1; on <= ranks; on++) { /* the last one limits nobody */
        granted = refused = 0;
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
        check_refusals(on == rank || on < 0);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
