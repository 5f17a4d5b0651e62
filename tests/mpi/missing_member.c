/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, a member that does not come to make a communicator out of a group, an
 * intercommunicator out of two, or a group, is named on all that wait for it, whoever it is. It
 * gets the error too when it comes (of a group, unless it does not hear of that in time);
 * afterwards all of that works.
 *
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.8 mpi=mpich,openmpi
 * run: ranks=4 args=everybody env=CAUCUS_TIMEOUT=0.8 full
 * run: ranks=5 args=everybody env=CAUCUS_TIMEOUT=0.8 env=CAUCUS_CREATE_GROUP=recursive_merge full
 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>

enum { MOST = 16, TAG = 7 };

enum way { COMM, REQUEST, BETWEEN, LIST, GROUP, WAYS };

static int rank, size, list[MOST];
static caucus_group all, half; /* half: the lower or the upper ranks, whose last one leads */

struct made {
    MPI_Comm comm;
    caucus_group group;
};

static int last_of_lower(void) {
    return size / 2 - 1;
}

static bool is_low(int who) {
    return who <= last_of_lower();
}

static int wait_for_comm(MPI_Comm *made) {
    caucus_request request;
    int code = caucus_group_ito_comm(all, made, &request);
    return code == MPI_SUCCESS ? caucus_wait(&request, MPI_STATUS_IGNORE) : code;
}

static int create_between(MPI_Comm *made) {
    int members, remote = is_low(rank) ? size - 1 : last_of_lower();
    CHECK_MPI(caucus_group_size(half, &members));
    return caucus_intercomm_create_group(half, members - 1, remote, TAG, made);
}

static int create_of_list(MPI_Comm *made) {
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    int code = caucus_comm_create_group(MPI_COMM_WORLD, group, TAG, made);
    MPI_Group_free(&group);
    return code;
}

static int call(enum way way, struct made *made) {
    *made = (struct made){MPI_COMM_NULL, CAUCUS_GROUP_NULL};
    switch (way) {
    case COMM:
        return caucus_group_to_comm(all, &made->comm);
    case REQUEST:
        return wait_for_comm(&made->comm);
    case BETWEEN:
        return create_between(&made->comm);
    case LIST:
        return create_of_list(&made->comm);
    default:
        return caucus_group_create(MPI_COMM_WORLD, list, size, TAG, &made->group);
    }
}

/* Who is missing is said as whoever says it knows it. */
static const char *name_of(enum way way, int absent) {
    if (way == LIST)
        return "has not come to make the group";
    if (way != BETWEEN || is_low(rank) == is_low(absent))
        return "of the parent, a member, did not come within CAUCUS_TIMEOUT";
    return absent == last_of_lower() || absent == size - 1
               ? "of the parent, the other group's leader, did not come within CAUCUS_TIMEOUT"
               : "of the parent, a member of the other group, did not come within CAUCUS_TIMEOUT";
}

static void expect_made(enum way way) {
    struct made made;
    int one = 1, sum = 0, inter = 0, expected = size;
    CHECK_MPI(call(way, &made));
    if (way == GROUP) {
        CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made.group));
        CHECK_MPI(caucus_group_free(&made.group));
    } else {
        MPI_Comm_test_inter(made.comm, &inter);
        CHECK(inter == (way == BETWEEN), "way %d: intercommunicator: %d", way, inter);
        if (inter)
            MPI_Comm_remote_size(made.comm, &expected);
        CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made.comm));
        CHECK_MPI(MPI_Comm_free(&made.comm));
    }
    CHECK(sum == expected, "way %d: the sum is %d, not %d", way, sum, expected);
}

/* One comes when the others have given up. */
static void leave_out(enum way way, int absent) {
    struct made made;
    char words[128];
    snprintf(words, sizeof words, "rank %d %s", absent, name_of(way, absent));
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == absent)
        MPI_Barrier(MPI_COMM_WORLD);
    int code = call(way, &made);
    if (way == GROUP && rank == absent && code == MPI_SUCCESS) { /* nobody settles that */
        CHECK_MPI(caucus_group_free(&made.group));
    } else {
        expect(code, MPI_ERR_OTHER, words);
        CHECK(made.comm == MPI_COMM_NULL && made.group == CAUCUS_GROUP_NULL, "way %d: made", way);
    }
    CHECK(MPI_Wtime() - begin < 20, "way %d: it took %g s", way, MPI_Wtime() - begin);
    if (rank != absent)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_made(way);
}

/* What is pending holds up the next creation until it has failed, and no longer. */
static void check_turn(void) {
    const int absent = size - 1;
    MPI_Comm made = MPI_COMM_NULL, later;
    caucus_group rest = CAUCUS_GROUP_NULL;
    caucus_request request;
    char words[128];
    snprintf(words, sizeof words, "rank %d %s", absent, name_of(COMM, absent));
    if (rank != absent)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size - 1, TAG, &rest));
    else
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_ito_comm(all, &made, &request));
    if (rank != absent) {
        CHECK_MPI(caucus_group_to_comm(rest, &later));
        CHECK_MPI(MPI_Comm_free(&later));
        CHECK_MPI(caucus_group_free(&rest));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    expect(caucus_wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER, words);
    CHECK(made == MPI_COMM_NULL, "something was made");
    MPI_Barrier(MPI_COMM_WORLD);
    expect_made(REQUEST);
}

static void check_some(void) {
    leave_out(COMM, 0);
    leave_out(COMM, size - 1);
    leave_out(REQUEST, 1);
    leave_out(BETWEEN, last_of_lower());
    leave_out(BETWEEN, size - 2);
    leave_out(GROUP, 0); /* whom words of all wait for */
    check_turn();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    for (int i = 0; i < size; i++)
        list[i] = i;
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    const int first = is_low(rank) ? 0 : size / 2, last = is_low(rank) ? last_of_lower() : size - 1;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size, 1, &all));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &list[first], last - first + 1, 2, &half));
    if (argc < 2)
        check_some();
    for (enum way way = COMM; way < WAYS && argc > 1; way++)
        for (int absent = 0; absent < size; absent++)
            leave_out(way, absent);
    CHECK_MPI(caucus_group_free(&half));
    CHECK_MPI(caucus_group_free(&all));
    MPI_Finalize();
    return 0;
}
