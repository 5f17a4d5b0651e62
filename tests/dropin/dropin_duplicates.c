/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_idup that is not complete when ranks make other communicators, in different orders on
 * different ranks where these are others' communicators: natively none of it hangs. Open MPI 5.0.11
 * puts a duplicate of MPI_COMM_WORLD before all else, once it has been looked at, and other
 * collectives on a communicator that is being duplicated make the duplicate wait for ever.
 * run: ranks=4 preload
 * run: ranks=5 preload env=CAUCUS_ENABLE=nonblocking
 * run: ranks=4 preload env=CAUCUS_DISABLE=group
 * run: ranks=4 preload env=CAUCUS_ENABLE=blocking args=blocking
 * run: ranks=4 preload env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich */
#include "orders.h"

enum { SEVERAL = 5, TURNS = 3 };

/* A group of all of parent, while some ranks have begun to duplicate the other one before. */
static void try_group(MPI_Comm duplicated, MPI_Comm parent, int tag) {
    MPI_Comm copy, made;
    MPI_Request request;
    MPI_Group group;
    int before = world_rank() % 2, sum = 0, one = 1;
    MPI_Comm_group(parent, &group);
    if (before)
        MPI_Comm_idup(duplicated, &copy, &request);
    MPI_Comm_create_group(parent, group, tag, &made);
    if (!before)
        MPI_Comm_idup(duplicated, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
    CHECK(sum == world_size(), "%d", sum);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    CHECK(sum == world_size(), "%d", sum);
    MPI_Group_free(&group);
    MPI_Comm_free(&made);
    MPI_Comm_free(&copy);
}

static MPI_Comm derived;
static int blocking;

static void group_of_world(void) {
    try_group(MPI_COMM_WORLD, MPI_COMM_WORLD, 0);
}

static void group_of_world_with_tag(void) {
    try_group(MPI_COMM_WORLD, MPI_COMM_WORLD, 5);
}

static void group_of_derived(void) {
    try_group(MPI_COMM_WORLD, derived, 5);
}

static void group_and_duplicate_of_derived(void) {
    try_group(derived, derived, 5);
}

/* Each is completed by another function, so that none is taken for pending afterwards. */
static void complete(MPI_Request request[SEVERAL]) {
    int index, count, flag = 0, indices[SEVERAL];
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitsome(1, request + 2, &count, indices, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag;)
        MPI_Test(request + 3, &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(SEVERAL, request, MPI_STATUSES_IGNORE);
}

static void try_several(MPI_Comm duplicated, MPI_Comm parent) {
    MPI_Comm copies[SEVERAL], made;
    MPI_Request request[SEVERAL];
    for (int i = 0; i < SEVERAL; i++)
        MPI_Comm_idup(duplicated, &copies[i], &request[i]);
    MPI_Comm_dup(parent, &made);
    complete(request);
    for (int i = 0; i < SEVERAL; i++)
        MPI_Comm_free(&copies[i]);
    MPI_Comm_free(&made);
}

static void several_of_world(void) {
    try_several(MPI_COMM_WORLD, MPI_COMM_WORLD);
}

static void several_of_derived(void) {
    try_several(derived, derived);
}

/* A nonblocking collective on a new communicator, and blocking ones there that some ranks come to
 * before they complete it. */
static void collectives_of_new(void) {
    enum { COUNT = 1000 };
    static double mine[COUNT], sum[COUNT];
    MPI_Comm made;
    MPI_Request request;
    int first = 1, before = 0;
    for (int i = 0; i < COUNT; i++)
        mine[i] = i;
    MPI_Comm_dup(derived, &made);
    MPI_Iallreduce(mine, sum, COUNT, MPI_DOUBLE, MPI_SUM, made, &request);
    if (world_rank() % 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(made);
    MPI_Scan(&first, &before, 1, MPI_INT, MPI_SUM, made);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(before == world_rank() + 1, "%d", before);
    for (int i = 0; i < COUNT; i++)
        CHECK(sum[i] == (double)i * world_size(), "%d: %g", i, sum[i]);
    MPI_Comm_free(&made);
}

/* Blocking ones of ours: the first attaches what is being duplicated. MPI's own would be exposed.
 */
static void blocking_beside(void) {
    MPI_Comm made, copy;
    MPI_Request request;
    int one = 1, sum = 0;
    MPI_Comm_dup(derived, &made);
    MPI_Comm_idup(made, &copy, &request);
    for (int i = 0; blocking && i < 2; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
        CHECK(sum == world_size(), "%d", sum);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&made);
}

static const struct orders_case all[] = {
    {"a group of MPI_COMM_WORLD, tag 0", group_of_world},
    {"a group of MPI_COMM_WORLD, tag 5", group_of_world_with_tag},
    {"a group of a duplicate", group_of_derived},
    {"a group of a duplicate that is being duplicated", group_and_duplicate_of_derived},
    {"MPI_Comm_dup of MPI_COMM_WORLD", several_of_world},
    {"MPI_Comm_dup of a duplicate", several_of_derived},
    {"collectives of a new communicator", collectives_of_new},
    {"blocking collectives on what is being duplicated", blocking_beside},
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    blocking = argc > 1;
    signal(SIGALRM, orders_too_late);
    MPI_Comm_dup(MPI_COMM_WORLD, &derived);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int turn = 0; turn < TURNS; turn++) {
            snprintf(orders_text, sizeof orders_text, "%s (rank %d)\n", all[i].name, world_rank());
            alarm(LIMIT_OF_A_CASE);
            all[i].call();
            alarm(0);
        }
    MPI_Comm_free(&derived);
    MPI_Finalize();
    return 0;
}
