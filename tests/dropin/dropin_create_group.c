/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group of a program that knows nothing of Caucus, while each member has a receive
 * posted that takes anything, on MPI_COMM_WORLD and on communicators derived from it. With threads
 * one from MPI_Comm_idup is left to MPI, and with CAUCUS_DISABLE=group all are; then there is no
 * such receive, because it would take Open MPI's own messages. A collective that is active moves
 * on.
 *
 * run: ranks=2,5 preload env=CAUCUS_REPORT=create_group.json
 * run: ranks=4 preload env=CAUCUS_REPORT=create_group.json env=CAUCUS_CREATE_GROUP=recursive_merge
 * run: ranks=4 preload env=CAUCUS_REPORT=create_group.json args=multiple
 * run: ranks=4 preload env=CAUCUS_REPORT=create_group.json env=CAUCUS_DISABLE=group args=passed
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 args=busy
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 args="busy multiple"
 * run: ranks=3 preload args=wrong
 * run: ranks=2,5 args=passed */
#include "../mpi/founders.h"
#include "persistent.h"
#include "report.h"

static int rank, size;

static int has(int argc, char **argv, const char *word) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return 1;
    return 0;
}

/* All but rank 0 of comm, the last first. */
static void try_on(MPI_Comm comm, int traps) {
    int own, all;
    struct founders some = {0};
    struct trap trap;
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &all);
    for (int i = all - 1; i > 0; i--)
        some.ranks[some.count++] = i;
    if (own == 0)
        return;
    MPI_Group group = group_of(comm, &some);
    if (traps)
        set_trap(&trap, comm);
    CHECK_MPI(MPI_Comm_create_group(comm, group, 3, &made));
    check_made(made, group, &some, own);
    if (traps)
        spring_trap(&trap, comm, &some, own);
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

static void try_all(int traps, int on_unknown) {
    MPI_Comm copy, half, unknown;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_idup(MPI_COMM_WORLD, &unknown, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, -rank, &half);
    for (int round = 0; round < 10; round++) {
        try_on(MPI_COMM_WORLD, traps);
        try_on(copy, traps);
        try_on(half, traps);
        try_on(unknown, on_unknown);
    }
    MPI_Comm_free(&unknown);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
}

/* Rank 0 has begun a collective and makes a group with rank 1, which completes the collective
 * first: for that it needs what rank 0 passes on. */
static void try_busy(void) {
#if HAS_PERSISTENT
    long in = rank + 1, sum = 0;
    struct founders two = {2, {1, 0}};
    MPI_Request request;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group group = group_of(MPI_COMM_WORLD, &two);
    MPI_Allreduce_init(&in, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank != 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank < 2) {
        CHECK_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, group, 8, &made));
        check_made(made, group, &two, rank);
        MPI_Comm_free(&made);
    }
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == (long)size * (size + 1) / 2, "%ld", sum);
    MPI_Request_free(&request);
    MPI_Group_free(&group);
#endif
}

/* Errors are MPI's classes, and come without the others. */
static void try_wrong(void) {
    MPI_Comm made, copy;
    MPI_Group group;
    int class;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    return_errors(copy);
    MPI_Comm_group(copy, &group);
    MPI_Error_class(MPI_Comm_create_group(copy, group, -5, &made), &class);
    CHECK(class == MPI_ERR_TAG, "class %d", class);
    MPI_Error_class(MPI_Comm_create_group(copy, MPI_GROUP_NULL, 5, &made), &class);
    CHECK(class == MPI_ERR_GROUP, "class %d", class);
    CHECK_MPI(MPI_Comm_create_group(copy, MPI_GROUP_EMPTY, 5, &made));
    CHECK(made == MPI_COMM_NULL, "something was made of nobody");
    MPI_Group_free(&group);
    MPI_Comm_free(&copy);
}

/* 10 rounds on communicators of all, and halves, whose members are all but one. */
static int expect_counts(int threads, int passed) {
    char words[128];
    int of_one = 10 * (size - 1), all = 3 * of_one + 10 * (size - 2);
    int taken = passed ? 0 : all - (threads ? of_one : 0);
    char *report = read_report();
    snprintf(words, sizeof words, "\"MPI_Comm_create_group\": {\"taken\": %d, \"passed\": %d,",
             taken, all - taken);
    int failed = expect_in_report(report, words);
    free(report);
    return failed;
}

int main(int argc, char **argv) {
    int provided = MPI_THREAD_SINGLE, passed = has(argc, argv, "passed"), failed = 0;
    if (has(argc, argv, "multiple"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    int threads = provided == MPI_THREAD_MULTIPLE;
    if (has(argc, argv, "multiple") && !threads)
        return skipped_without_threads();
    rank = world_rank();
    size = world_size();
    if (has(argc, argv, "busy"))
        try_busy();
    else if (has(argc, argv, "wrong"))
        try_wrong();
    else
        try_all(!passed, !passed && !threads);
    MPI_Finalize();
    if (rank == 0 && getenv("CAUCUS_REPORT"))
        failed = expect_counts(threads, passed);
    return failed;
}
