/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of MPI's out of groups of those who live: with nobody dead, after the death of a
 * rank that is no member, and refused on all where a member is dead; one member that errs alone is
 * one that does not come.
 *
 * run: ranks=1,3 args=0 mpi=mpich,openmpi
 * run: ranks=5 args=1 deaths mpi=openmpi output="4 are left, and have a communicator" */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 8 };

static void check_comm(caucus_group group, int members) {
    MPI_Comm made;
    int one = 1, sum, size, rank, mine;
    CHECK(caucus_group_to_comm_alive(group, 20, &made) == MPI_SUCCESS, "%s", caucus_error_text());
    CHECK_MPI(MPI_Comm_size(made, &size));
    CHECK_MPI(MPI_Comm_rank(made, &rank));
    CHECK_MPI(caucus_group_rank(group, &mine));
    CHECK(size == members && rank == mine, "rank %d of %d", rank, size);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK(sum == members, "%d", sum);
    CHECK_MPI(MPI_Comm_free(&made));
}

static caucus_group make_group(MPI_Comm comm, int members) {
    caucus_group group;
    int list[MOST];
    for (int i = 0; i < members; i++)
        list[i] = i;
    CHECK(caucus_group_create_alive(comm, list, members, 20, &group) == MPI_SUCCESS, "%s",
          caucus_error_text());
    return group;
}

static void check_arguments(caucus_group group) {
    MPI_Comm made;
    expect(caucus_group_to_comm_alive(CAUCUS_GROUP_NULL, 1, &made), MPI_ERR_ARG, "GROUP_NULL");
    expect(caucus_group_to_comm_alive(group, 1, NULL), MPI_ERR_ARG, "newcomm is a null pointer");
    expect(caucus_group_to_comm_alive(group, -1, &made), MPI_ERR_ARG, "timeout is -1");
    if (world_size() == 1)
        return;
    if (world_rank() == 1)
        usleep(400000); /* it comes when the others have given up */
    expect(caucus_group_to_comm_alive(group, 0.3, &made), MPI_ERR_OTHER, "did not come in time");
    CHECK(made == MPI_COMM_NULL, "an error and a communicator");
}

static void check_deaths(MPI_Comm comm, caucus_group all) {
    MPI_Comm made;
    int last = world_size() - 1;
    if (world_rank() == last)
        raise(SIGKILL);
    caucus_group group = make_group(comm, last);
    check_comm(group, last);
    expect(caucus_group_to_comm_alive(all, 5, &made), MPI_ERR_OTHER, "shrink it first");
    check_comm(group, last);
    if (world_rank() == 0) {
        printf("%d are left, and have a communicator\n", last);
        fflush(stdout);
    }
    CHECK_MPI(caucus_group_barrier(group));
    _exit(0); /* MPI_Finalize may wait for ever after a death */
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(comm));
    caucus_group group = make_group(comm, world_size());
    check_comm(group, world_size());
    if (argc > 1 && atoi(argv[1]) != 0)
        check_deaths(comm, group);
    check_arguments(group);
    check_comm(group, world_size());
    CHECK_MPI(caucus_group_free(&group));
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
