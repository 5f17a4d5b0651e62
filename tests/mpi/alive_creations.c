/* SPDX-License-Identifier: BSD-3-Clause */
/* What makes groups, where MPI tells of deaths: whoever waits for a member that is dead, or dies
 * meanwhile, gets an error that names it, long before CAUCUS_TIMEOUT; others go on.
 *
 * run: ranks=5 deaths mpi=openmpi env=CAUCUS_TIMEOUT=20 output="4 are left, and make groups" */
#include "expect_error.h"
#include "failure_classes.h"

#include <caucus/caucus.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEAD = 4, ALL = 5 };

static const int everybody[ALL] = {0, 1, 2, 3, DEAD};
static int rank;
static MPI_Comm comm;
static caucus_group own; /* {0, 1, 2}, or {4, 3} */

static void expect_death(int code, const char *words) {
    expect(code, MPIX_ERR_PROC_FAILED, words);
    CHECK(strstr(caucus_error_text(), "rank 4 of the parent, "), "%s", caucus_error_text());
}

/* It dies while the others wait for it, and for its answer. */
static void check_creation(void) {
    caucus_group group = CAUCUS_GROUP_NULL, merged = CAUCUS_GROUP_NULL;
    caucus_request request;
    if (rank < 3)
        CHECK_MPI(caucus_group_iask(own, DEAD, 6, &merged, NULL, &request));
    if (rank == DEAD) {
        usleep(200000);
        raise(SIGKILL);
    }
    expect_death(caucus_group_create(comm, everybody, ALL, 1, &group), "a member, is dead");
    expect_death(caucus_group_create(comm, everybody, ALL, 1, &group), "a member, is dead");
    if (rank < 3)
        expect_death(caucus_wait(&request, MPI_STATUS_IGNORE), "which was asked, is dead");
    CHECK(group == CAUCUS_GROUP_NULL && merged == CAUCUS_GROUP_NULL, "an error and a group");
}

/* Their firsts are 0 and the dead one, which 3 waits for to be told by. */
static void check_merge(void) {
    const int firsts[2] = {0, DEAD};
    caucus_group merged = CAUCUS_GROUP_NULL;
    expect_death(caucus_group_merge(own, firsts, 2, 2, &merged),
                 rank == 3 ? "a member that was to tell" : "a member, is dead");
    CHECK(merged == CAUCUS_GROUP_NULL, "an error and a group");
}

static void check_growing(void) {
    caucus_group grown = CAUCUS_GROUP_NULL;
    if (rank < 3)
        expect_death(caucus_group_grow(own, (int[]){3, DEAD}, 2, 3, &grown), "is dead");
    else
        expect_death(caucus_group_join(comm, 0, 3, &grown), "is dead");
    if (rank == 3)
        expect_death(caucus_group_join(comm, DEAD, 4, &grown), "is dead");
    CHECK(grown == CAUCUS_GROUP_NULL, "an error and a group");
}

static void check_asking(void) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    if (rank < 3)
        expect_death(caucus_group_ask(own, DEAD, 5, &merged, NULL), "which was asked, is dead");
    CHECK(merged == CAUCUS_GROUP_NULL, "an error and a group");
}

/* At the first use of a group made without a message, whose first is the dead one, and where
 * members gather for MPI. */
static void check_use(caucus_group used) {
    caucus_group all;
    MPI_Comm made = MPI_COMM_NULL;
    CHECK_MPI(caucus_group_create_range(comm, DEAD, 0, -1, &all));
    expect_death(caucus_group_barrier(all), "a member, is dead");
    CHECK_MPI(caucus_group_free(&all));
    expect_death(caucus_group_to_comm(used, &made), "is dead");
    CHECK(made == MPI_COMM_NULL, "an error and a communicator");
}

/* Where the wishes of all are gathered, in both forms. */
static void check_split(caucus_group used) {
    caucus_group part = CAUCUS_GROUP_NULL;
    caucus_request request;
    expect(caucus_group_split(used, 0, 0, &part), MPIX_ERR_PROC_FAILED, "");
    int code = caucus_group_isplit(used, 0, 0, &part, &request); /* its first message may fail */
    if (code == MPI_SUCCESS)
        code = caucus_wait(&request, MPI_STATUS_IGNORE);
    expect(code, MPIX_ERR_PROC_FAILED, "");
    CHECK(part == CAUCUS_GROUP_NULL, "an error and a group");
}

/* Those who are left, with the same tags. */
static void check_rest(void) {
    caucus_group group, alone, merged;
    int sum = 0;
    CHECK_MPI(caucus_group_create(comm, everybody, DEAD, 1, &group));
    CHECK_MPI(caucus_group_allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == 6, "%d", sum);
    CHECK_MPI(caucus_group_create(comm, &rank, 1, 1, &alone));
    CHECK_MPI(caucus_group_merge(alone, everybody, DEAD, 2, &merged));
    CHECK_MPI(caucus_group_barrier(merged));
    if (rank == 0) {
        printf("%d are left, and make groups\n", DEAD);
        fflush(stdout);
    }
    CHECK_MPI(caucus_group_barrier(group));
}

int main(int argc, char **argv) {
    caucus_group used;
    int detected;
    MPI_Init(&argc, &argv);
    rank = world_rank();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    CHECK_MPI(caucus_failures_detected(&detected));
    CHECK(detected, "MPI does not tell of deaths here");
    CHECK_MPI(caucus_group_create(comm, everybody, ALL, 1, &used));
    CHECK_MPI(caucus_group_create(comm, rank < 3 ? everybody : (int[]){DEAD, 3}, rank < 3 ? 3 : 2,
                                  1, &own));
    CHECK_MPI(caucus_group_barrier(used));
    check_creation();
    check_merge();
    check_growing();
    check_asking();
    check_use(used);
    check_split(used);
    check_rest();
    _exit(0); /* MPI_Finalize may wait for ever after a death */
}
