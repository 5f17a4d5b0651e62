/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of MPI's out of light groups, at once and behind requests, within one group and
 * between two, made by the members while others call nothing; windows on them; and wrong arguments,
 * which are the same error on all that called.
 *
 * run: ranks=1,2,3,5 env=CAUCUS_TIMEOUT=5 env=OMPI_MCA_osc=^ucx
 * run: ranks=5 env=CAUCUS_CREATE_GROUP=recursive_merge env=OMPI_MCA_osc=^ucx
 * run: ranks=4 mpi=mpich,openmpi env=CAUCUS_CREATE_GROUP=parentless env=OMPI_MCA_osc=^ucx
 * run: ranks=5 env=CAUCUS_NODES=3,2 env=CAUCUS_SHARED_MEMORY=0 env=OMPI_MCA_osc=^ucx */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void check_comm(MPI_Comm made, caucus_group group) {
    int sum = 0, place, members, own, all;
    CHECK_MPI(caucus_group_rank(group, &own));
    CHECK_MPI(caucus_group_size(group, &members));
    MPI_Comm_rank(made, &place);
    MPI_Comm_size(made, &all);
    CHECK(place == own && all == members, "rank %d of %d, not %d of %d", place, all, own, members);
    CHECK_MPI(MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK(sum == members * (members - 1) / 2, "%d", sum);
}

/* Everybody puts its rank to the one behind it. */
static void check_window(MPI_Comm made) {
    int *base, place, members;
    MPI_Win window;
    MPI_Comm_rank(made, &place);
    MPI_Comm_size(made, &members);
    CHECK_MPI(
        MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, made, (void *)&base, &window));
    *base = -1;
    MPI_Win_fence(0, window);
    MPI_Put(&place, 1, MPI_INT, (place + 1) % members, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(*base == (place + members - 1) % members, "%d", *base);
    MPI_Win_free(&window);
}

/* The ranks of every other one, backwards, with the last one outside. */
static caucus_group make_some(int tag) {
    int list[64], n = 0;
    caucus_group group = CAUCUS_GROUP_NULL;
    for (int i = size - 1; i >= 0; i--)
        if (i % 2 == 0)
            list[n++] = i;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, n, tag, &group));
    return group;
}

static void check_one(void) {
    caucus_group group = make_some(1);
    MPI_Comm made = MPI_COMM_SELF;
    if (group == CAUCUS_GROUP_NULL)
        return;
    for (int again = 0; again < 3; again++) {
        CHECK_MPI(caucus_group_to_comm(group, &made));
        check_comm(made, group);
        check_window(made);
        CHECK_MPI(MPI_Comm_free(&made));
    }
    CHECK_MPI(caucus_group_free(&group));
}

/* Two at a time that overlap, waited for in different orders. */
static void check_requests(void) {
    caucus_group all, some = make_some(2);
    MPI_Comm made[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    caucus_request request[2] = {CAUCUS_REQUEST_NULL, CAUCUS_REQUEST_NULL};
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &all));
    CHECK_MPI(caucus_group_ito_comm(all, &made[0], &request[0]));
    if (some != CAUCUS_GROUP_NULL)
        CHECK_MPI(caucus_group_ito_comm(some, &made[1], &request[1]));
    for (int i = 0; i < 2; i++)
        CHECK_MPI(caucus_wait(&request[(rank + i) % 2], MPI_STATUS_IGNORE));
    check_comm(made[0], all);
    MPI_Comm_free(&made[0]);
    if (some != CAUCUS_GROUP_NULL) {
        check_comm(made[1], some);
        MPI_Comm_free(&made[1]);
        CHECK_MPI(caucus_group_free(&some));
    }
    CHECK_MPI(caucus_group_free(&all));
}

/* The first ranks and the others, less the last one. */
static void check_between(void) {
    int low = size / 2, high = size > 2 ? size - 2 : size - 1;
    caucus_group group;
    MPI_Comm between;
    if (size < 2)
        return;
    bool first = rank < low;
    CHECK_MPI(first ? caucus_group_create_range(MPI_COMM_WORLD, 0, low - 1, 1, &group)
                    : caucus_group_create_range(MPI_COMM_WORLD, high, low, -1, &group));
    if (group == CAUCUS_GROUP_NULL)
        return;
    for (int again = 0; again < 2; again++) {
        CHECK_MPI(caucus_intercomm_create_group(group, first ? low - 1 : 0, first ? high : low - 1,
                                                7, &between));
        int inter, there, local, out = rank, in[64];
        MPI_Comm_test_inter(between, &inter);
        MPI_Comm_remote_size(between, &there);
        MPI_Comm_size(between, &local);
        CHECK(inter && there == (first ? high - low + 1 : low), "%d there", there);
        CHECK_MPI(MPI_Allgather(&out, 1, MPI_INT, in, 1, MPI_INT, between));
        for (int i = 0; i < there; i++)
            CHECK(in[i] == (first ? high - i : i), "%d", in[i]);
        MPI_Comm_free(&between);
    }
    CHECK_MPI(caucus_group_free(&group));
}

static void check_bad(void) {
    MPI_Comm made = MPI_COMM_SELF, late;
    caucus_request request;
    caucus_group group, own;
    int last = size - 1;
    expect(caucus_group_to_comm(CAUCUS_GROUP_NULL, &made), MPI_ERR_ARG, "CAUCUS_GROUP_NULL");
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &group));
    expect(caucus_group_ito_comm(group, &made, NULL), MPI_ERR_REQUEST, "request");
    expect(caucus_group_to_comm(group, rank == last ? NULL : &made), MPI_ERR_ARG,
           rank == last ? "newcomm is a null pointer" : "gave other arguments");
    CHECK(made == MPI_COMM_NULL || rank == last, "it is not null");
    int code = caucus_group_ito_comm(group, rank == 0 ? NULL : &made, &request);
    if (rank != 0) {
        CHECK_MPI(code);
        code = caucus_wait(&request, MPI_STATUS_IGNORE);
    }
    expect(code, MPI_ERR_ARG, rank == 0 ? "newcomm is a null pointer" : "gave other arguments");
    CHECK_MPI(caucus_group_to_comm(group, &made)); /* and it goes on */
    MPI_Comm_free(&made);
    CHECK_MPI(caucus_group_free(&group));
    MPI_Comm_dup(MPI_COMM_WORLD, &late);
    return_errors(late);
    int one = 1, sum;
    CHECK_MPI(caucus_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, late)); /* attached, but not so */
    CHECK_MPI(caucus_group_from_comm(late, &own));
    expect(caucus_group_to_comm(own, &made), MPI_ERR_COMM, "caucus_comm_attach");
    CHECK_MPI(caucus_group_free(&own));
    MPI_Comm_free(&late);
}

/* 0 and 1 each lead a group with 2, which is in both. */
static void check_overlap(void) {
    caucus_group group[2];
    MPI_Comm made;
    for (int leader = 0; leader < 2; leader++) {
        const int list[2] = {leader, 2};
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, 2, 4, &group[leader]));
    }
    for (int leader = 0; leader < 2; leader++) {
        if (group[leader] == CAUCUS_GROUP_NULL)
            continue;
        expect(caucus_intercomm_create_group(group[leader], 0, 1 - leader, 5, &made), MPI_ERR_GROUP,
               "rank 2 of the parent is in both");
        CHECK_MPI(caucus_group_free(&group[leader]));
    }
}

/* A member that would make its group's own in another way. */
static void check_bad_algorithm(caucus_group group, int leader, bool first) {
    const char *name = "CAUCUS_CREATE_GROUP", *usual = getenv(name);
    char kept[32];
    MPI_Comm made;
    strcpy(kept, usual ? usual : "");
    if (rank == 1)
        setenv(name, usual && strcmp(usual, "native") != 0 ? "native" : "recursive_merge", 1);
    expect(caucus_intercomm_create_group(group, 0, leader, 3, &made), MPI_ERR_ARG,
           first ? "other arguments" : "has erred");
    if (rank == 1 && usual)
        setenv(name, kept, 1);
    else if (rank == 1)
        unsetenv(name);
}

/* All members of both groups get the error, whoever erred: a leader, another member, or both sides
 * by groups that overlap. */
static void check_bad_between(void) {
    caucus_group group;
    MPI_Comm made;
    if (size < 3)
        return;
    bool first = rank < 2;
    int leader = first ? 2 : 0;
    CHECK_MPI(first ? caucus_group_create_range(MPI_COMM_WORLD, 0, 1, 1, &group)
                    : caucus_group_create_range(MPI_COMM_WORLD, 2, size - 1, 1, &group));
    expect(caucus_intercomm_create_group(group, rank == 1 ? 5 : 0, leader, 3, &made),
           rank == 1 ? MPI_ERR_RANK : MPI_ERR_ARG,
           rank == 1 ? "local_leader is 5" : (first ? "other arguments" : "has erred"));
    expect(caucus_intercomm_create_group(group, 0, leader, 3, rank == 0 ? NULL : &made),
           MPI_ERR_ARG,
           rank == 0 ? "newintercomm is" : (rank == 1 ? "other arguments" : "has erred"));
    expect(caucus_intercomm_create_group(group, 0, leader, rank == 1 ? 4 : 3, &made), MPI_ERR_ARG,
           first ? "other arguments" : "has erred");
    expect(caucus_intercomm_create_group(group, rank == 1 ? 1 : 0, leader, 3, &made), MPI_ERR_ARG,
           first ? "other arguments" : "has erred");
    expect(caucus_intercomm_create_group(group, 0, leader, -3, &made), MPI_ERR_TAG, "tag is -3");
    check_bad_algorithm(group, leader, first);
    CHECK_MPI(caucus_intercomm_create_group(group, 0, leader, 3, &made));
    MPI_Comm_free(&made);
    CHECK_MPI(caucus_group_free(&group));
    check_overlap();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    check_one();
    check_requests();
    check_between();
    check_bad();
    check_bad_between();
    MPI_Finalize();
    return 0;
}
