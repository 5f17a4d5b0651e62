/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives with a root between two groups, which are left to MPI: while a persistent collective
 * is active MPI may not block, and MPICH's nonblocking broadcast loses the data of any root but the
 * first (tests/faults/ibcast_between.c).
 *
 * run: ranks=3,5 preload
 * run: ranks=5 preload env=CAUCUS_DISABLE=inter
 * run: ranks=5 preload env=CAUCUS_DISABLE=inter,blocking */
#include "../mpi/check.h"
#include "persistent.h"

#if HAS_PERSISTENT
enum { MANY = 5000, COUNT = 3, MOST = 8 };

static int rank, size, near; /* near: in the group of the last rank, which is the root */

static MPI_Comm make_between(void) {
    MPI_Comm half, between;
    near = rank >= size / 2;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, near, rank, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, near ? 0 : size / 2, 1, &between));
    CHECK_MPI(MPI_Comm_free(&half));
    return between;
}

static int root(void) {
    return !near ? size - 1 - size / 2 : rank == size - 1 ? MPI_ROOT : MPI_PROC_NULL;
}

static void broadcast(MPI_Comm between) {
    int words[COUNT] = {-1, -1, -1};
    for (int i = 0; i < COUNT && rank == size - 1; i++)
        words[i] = 7 + i;
    CHECK_MPI(MPI_Bcast(words, COUNT, MPI_INT, root(), between));
    for (int i = 0; i < COUNT && !near; i++)
        CHECK(words[i] == 7 + i, "word %d of the broadcast is %d", i, words[i]);
}

static void scatter_and_gather(MPI_Comm between) {
    int all[MOST], back[MOST], one = -1, far = size / 2;
    for (int i = 0; i < far; i++)
        all[i] = 100 + i, back[i] = -1;
    CHECK_MPI(MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, root(), between));
    CHECK(near || one == 100 + rank, "the scatter brought %d", one);
    CHECK_MPI(MPI_Gather(&one, 1, MPI_INT, back, 1, MPI_INT, root(), between));
    for (int i = 0; i < far && rank == size - 1; i++)
        CHECK(back[i] == all[i], "the gather brought %d", back[i]);
}

static void reduce(MPI_Comm between) {
    int own = 1 + rank, sum = -1, far = size / 2;
    CHECK_MPI(MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, root(), between));
    if (rank == size - 1)
        CHECK(sum == far * (far + 1) / 2, "the sum is %d", sum);
}
#endif

int main(int argc, char **argv) {
#if HAS_PERSISTENT
    static double in[MANY], sum[MANY];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm between = make_between();
    CHECK_MPI(MPI_Allreduce_init(in, sum, MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    CHECK_MPI(MPI_Start(&request));
    broadcast(between);
    scatter_and_gather(between);
    reduce(between);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&request));
    CHECK_MPI(MPI_Comm_free(&between));
    MPI_Finalize();
    return 0;
#else
    (void)argc, (void)argv;
    return without_persistent();
#endif
}
