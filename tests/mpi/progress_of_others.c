/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that tests, or waits for, one thing begins what else it has called meanwhile: a
 * nonblocking collective of a group whose number comes later, one between groups whose counts come
 * later. Otherwise ranks would wait for each other in a ring.
 *
 * run: ranks=2,3,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 */
#include "check.h"

#include <caucus/caucus.h>

static void make_range(caucus_group *group) {
    int first = 0, last = world_size() - 1, stride = 1;
    CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, first, last, stride, group));
}

/* Before any collective on a communicator: rank 0 waits for a message of rank 1, which sends it
 * after the barrier of a group. */
static void receive_beside_barrier(void) {
    caucus_group group;
    caucus_request barrier;
    int got = 0, sent = 7;
    make_range(&group);
    CHECK_MPI(caucus_group_ibarrier(group, &barrier));
    if (world_rank() == 0)
        CHECK_MPI(caucus_group_recv(&got, 1, MPI_INT, 1, 3, group, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_wait(&barrier, MPI_STATUS_IGNORE));
    if (world_rank() == 1)
        CHECK_MPI(caucus_group_send(&sent, 1, MPI_INT, 0, 3, group));
    CHECK(world_rank() != 0 || got == 7, "%d", got);
    CHECK_MPI(caucus_group_free(&group));
}

/* Rank 0 tests the second call until it is complete; the others wait for the first one before they
 * begin the second. */
static void finish(caucus_request *first, caucus_request *second, MPI_Comm comm) {
    int done = 0;
    if (world_rank() == 0) {
        CHECK_MPI(caucus_ibarrier(comm, second));
        while (!done)
            CHECK_MPI(caucus_test(second, &done, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_wait(first, MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(caucus_wait(first, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_ibarrier(comm, second));
        CHECK_MPI(caucus_wait(second, MPI_STATUS_IGNORE));
    }
}

static void test_beside_group(void) {
    caucus_group group;
    caucus_request sum, barrier;
    int own = world_rank() + 1, all = 0, size = world_size();
    make_range(&group);
    CHECK_MPI(caucus_group_iallreduce(&own, &all, 1, MPI_INT, MPI_SUM, group, &sum));
    finish(&sum, &barrier, MPI_COMM_WORLD);
    CHECK(all == size * (size + 1) / 2, "%d", all);
    CHECK_MPI(caucus_group_free(&group));
}

static void test_beside_counts(void) {
    MPI_Comm half, inter;
    caucus_request gather, barrier;
    int side = world_rank() > 0, others = side ? 1 : world_size() - 1;
    int own = 100 + world_rank(), counts[16], places[16], all[16] = {0};
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 1, &inter));
    CHECK_MPI(caucus_comm_attach(inter));
    for (int i = 0; i < others; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    CHECK_MPI(caucus_iallgatherv(&own, 1, MPI_INT, all, counts, places, MPI_INT, inter, &gather));
    finish(&gather, &barrier, MPI_COMM_WORLD);
    for (int i = 0; i < others; i++)
        CHECK(all[i] == 100 + (side ? 0 : i + 1), "%d: %d", i, all[i]);
    CHECK_MPI(MPI_Comm_free(&inter));
    CHECK_MPI(MPI_Comm_free(&half));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    receive_beside_barrier();
    test_beside_group();
    test_beside_counts();
    MPI_Finalize();
    return 0;
}
