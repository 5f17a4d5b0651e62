/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups that merge, grow, ask or split get for bad arguments: the same error on every member
 * that called, in the words of whoever found it, and never a hang.
 *
 * run: ranks=3,5 env=CAUCUS_TIMEOUT=2 */
#include "expect_error.h"

#include <caucus/caucus.h>

static int rank;
static caucus_group own; /* {0, 2} or {1}; of others {themselves} */

static void expect_none(caucus_group group) {
    CHECK(group == CAUCUS_GROUP_NULL, "there is a group all the same");
}

/* In every case 0 and 2 are a group whose first errs, or not, and 1 is another one. */
static void merge(const int firsts[], int k, int tag, const char *words, const char *words_of_1) {
    caucus_group merged = own;
    expect(caucus_group_merge(own, firsts, k, tag, &merged), MPI_ERR_ARG,
           rank == 1 ? words_of_1 : words);
    expect_none(merged);
}

static void check_firsts(void) {
    static const int right[2] = {0, 1}, twice[3] = {0, 0, 1}, others[2] = {1, 3},
                     beyond[3] = {0, 1, 99}, swapped[2] = {1, 0};
    const char *differ = "the lists of groups that merge differ: rank";
    if (rank > 2)
        return;
    merge(rank == 1 ? right : twice, rank == 1 ? 2 : 3, 10, "members[0] and members[1] are both 0",
          differ);
    merge(rank == 1 ? right : others, 2, 11,
          world_size() > 3 ? "firsts lack 0" : "firsts: members[1] is 3", differ);
    merge(rank == 1 ? right : beyond, rank == 1 ? 2 : 3, 12, "firsts: members[2] is 99", differ);
    merge(rank == 1 ? right : swapped, 2, 13, differ, differ);
    if (rank == 1) /* without a list it could let nobody know */
        merge(NULL, 2, 14, "", "firsts is a null pointer");
    if (rank != 1)
        merge(right, 0, 15, "there must be at least 1", "");
    if (rank != 1) { /* 2 is told what 0 has done */
        caucus_group merged;
        expect(caucus_group_merge(own, right, 2, rank == 0 ? -1 : 16, &merged), MPI_ERR_ARG,
               "tag is -1");
    }
}

/* Groups {0, 2} and {1, 2}. */
static void check_overlap(void) {
    int firsts[2] = {0, 1}, list[2] = {1, 2};
    const char *words = "groups that merge overlap: rank 2 of the parent is in two of them";
    caucus_group other = own, merged, again;
    caucus_request requests[2];
    if (rank > 2)
        return;
    if (rank > 0)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, 2, 20, &other));
    CHECK_MPI(caucus_group_imerge(other, firsts, 2, 21, &merged, &requests[0]));
    if (rank == 2) {
        CHECK_MPI(caucus_group_imerge(own, NULL, 0, 21, &again, &requests[1]));
        expect(caucus_wait(&requests[1], MPI_STATUS_IGNORE), MPI_ERR_ARG, words);
    }
    expect(caucus_wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_ARG, words);
    expect_none(merged);
    int instead = -7, asker, count = 0;
    if (rank != 1) {
        expect(caucus_group_ask(own, 1, 22, &merged, &instead), MPI_ERR_ARG, words);
    }
    if (rank > 0) {
        while (rank == 1 && count == 0)
            CHECK_MPI(caucus_group_poll(other, 22, 1, &asker, &count));
        expect(caucus_group_take(other, &asker, 1, 22, &merged), MPI_ERR_ARG, words);
        CHECK_MPI(caucus_group_free(&other));
    }
}

static void check_others(void) {
    caucus_group group = CAUCUS_GROUP_NULL;
    caucus_request request;
    int list[2] = {0, 1}, members[2] = {0, 2}, count;
    expect(caucus_group_icreate(MPI_COMM_WORLD, list, 2, 30, &group, NULL), MPI_ERR_REQUEST,
           "request is a null pointer");
    expect(caucus_group_imerge(own, list, 2, 30, &group, NULL), MPI_ERR_REQUEST, "null pointer");
    expect(caucus_group_merge(group, list, 2, 30, &group), MPI_ERR_ARG, "CAUCUS_GROUP_NULL");
    expect(caucus_group_join(MPI_COMM_WORLD, rank, 30, &group), MPI_ERR_ARG, "first is");
    expect(caucus_group_join(MPI_COMM_WORLD, 99, 30, &group), MPI_ERR_ARG, "first is 99");
    expect(caucus_group_shrink(own, &(int){9}, 1, &group), MPI_ERR_ARG, "leaving: members[0] is 9");
    if (rank == 2) {
        expect(caucus_group_poll(own, 0, 1, list, &count), MPI_ERR_RANK, "rank 0 speaks for it");
        expect(caucus_group_refuse(own, 1, 0), MPI_ERR_RANK, "rank 0 speaks for it");
    } else {
        expect(caucus_group_refuse(own, 1, 0), MPI_ERR_ARG, "does not wait to be taken in");
    }
    if (rank == 1 || rank > 2)
        return;
    expect(caucus_group_grow(own, members, 2, 31, &group), MPI_ERR_ARG,
           "which is a member already");
    expect(caucus_group_ask(own, 2, 31, &group, NULL), MPI_ERR_ARG, "which is a member already");
    expect(caucus_group_take(own, &list[1], 1, 31, &group), MPI_ERR_ARG, "does not wait");
    expect(caucus_group_split(own, rank == 0 ? -5 : 1, 0, &group), MPI_ERR_ARG,
           "rank 0: color is -5");
    CHECK_MPI(caucus_group_isplit(own, 1, 0, rank == 2 ? NULL : &group, &request));
    expect(caucus_request_free(&request), MPI_ERR_REQUEST, "active");
    expect(caucus_wait(&request, MPI_STATUS_IGNORE), MPI_ERR_ARG,
           "rank 1: the new group is a null pointer");
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, rank == 0 ? members : (int[]){2, 0}, 2, 32,
                                   &group, &request));
    expect(caucus_wait(&request, MPI_STATUS_IGNORE), MPI_ERR_ARG, "the lists of members differ");
}

/* While an answer is awaited. */
static void check_asking(void) {
    caucus_group merged;
    caucus_request request;
    int asker, count = 0, instead = -7;
    if (rank == 1) {
        CHECK_MPI(caucus_group_iask(own, 0, 40, &merged, &instead, &request));
        expect(caucus_group_poll(own, 40, 1, &asker, &count), MPI_ERR_PENDING, "has no answer yet");
        expect(caucus_group_ask(own, 2, 40, &merged, NULL), MPI_ERR_PENDING, "has no answer yet");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    while (rank == 0 && count == 0)
        CHECK_MPI(caucus_group_poll(own, 40, 1, &asker, &count));
    if (rank == 0)
        CHECK_MPI(caucus_group_refuse(own, asker, 40));
    if (rank == 1) {
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        CHECK(merged == CAUCUS_GROUP_NULL && instead == MPI_PROC_NULL, "%d", instead);
    }
}

/* 1 never comes, to any of these; then nobody does. */
static void check_absent(void) {
    caucus_group merged, grown;
    caucus_request requests[2];
    int firsts[2] = {0, 1};
    const char *words = "rank 1 of the parent, a member, did not come";
    if (rank == 0 || rank == 2) {
        CHECK_MPI(caucus_group_imerge(own, firsts, 2, 50, &merged, &requests[0]));
        CHECK_MPI(caucus_group_igrow(own, &firsts[1], 1, 51, &grown, &requests[1]));
        expect(caucus_wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_OTHER, words);
        expect(caucus_wait(&requests[1], MPI_STATUS_IGNORE), MPI_ERR_OTHER, words);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        expect(caucus_group_join(MPI_COMM_WORLD, 0, 52, &grown), MPI_ERR_OTHER,
               "rank 0 of the parent, a member, did not come");
    if (rank == 2)
        expect(caucus_group_merge(own, NULL, 0, 53, &merged), MPI_ERR_OTHER,
               "rank 0 of the parent, the first of the group");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    int pair[2] = {0, 2}, paired = rank == 0 || rank == 2;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, paired ? pair : &rank, paired ? 2 : 1, 1, &own));
    check_firsts();
    check_overlap();
    check_others();
    check_asking();
    MPI_Barrier(MPI_COMM_WORLD);
    check_absent();
    CHECK_MPI(caucus_group_free(&own));
    MPI_Finalize();
    return 0;
}
