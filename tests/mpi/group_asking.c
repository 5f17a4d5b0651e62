/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that ask one that does not answer: the wish is withdrawn after CAUCUS_TIMEOUT, and is not
 * there for whoever comes to look at it later, so that it may be made again.
 *
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.5 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>

enum { TAG = 7, ASIDE };

static int rank;
static caucus_group own; /* {0, 2}, which asks, or {1} */

static bool is_class(int code, int wanted) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class == wanted;
}

static void expect_none(caucus_group merged) {
    CHECK(merged == CAUCUS_GROUP_NULL, "an error and a group");
}

/* Rank 1 sees the wish, and then does something else. */
static void check_withdrawing(void) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    int askers[3], count = 0, here = 0, none;
    if (rank != 1) {
        expect(caucus_group_ask(own, 1, TAG, &merged, NULL), MPI_ERR_OTHER,
               "rank 1 of the parent, which was asked, did not answer within CAUCUS_TIMEOUT");
        CHECK(!strstr(caucus_error_text(), "nor hear"), "%s", caucus_error_text());
        expect_none(merged);
        if (rank == 0)
            MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        return;
    }
    while (count == 0)
        CHECK_MPI(caucus_group_poll(own, TAG, 3, askers, &count));
    CHECK(count == 1 && askers[0] == 0, "%d ask, first %d", count, askers[0]);
    while (!here) {
        CHECK_MPI(caucus_group_poll(own, ASIDE, 3, askers, &none));
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(caucus_group_take(own, &(int){0}, 1, TAG, &merged), MPI_ERR_ARG,
           "rank 0 of the parent does not wait to be taken in");
    expect_none(merged);
}

/* It knows nothing of Caucus meanwhile. */
static void check_giving_up(void) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    int asker, count;
    if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_MPI(caucus_group_poll(own, TAG, 1, &asker, &count));
        CHECK(count == 0, "a wish that was given up");
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    expect(caucus_group_ask(own, 1, TAG, &merged, NULL), MPI_ERR_OTHER, "nor hear within as long");
    expect(caucus_group_ask(own, 1, TAG, &merged, NULL), MPI_ERR_PENDING,
           "has not answered yet what was asked with tag 7");
    expect_none(merged);
    if (rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* As often as it takes on a busy machine. */
static void check_again(void) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    int asker, count, members[3], one = 1, sum = 0, code = MPI_SUCCESS;
    while (merged == CAUCUS_GROUP_NULL && rank != 1) {
        code = caucus_group_ask(own, 1, TAG, &merged, NULL);
        CHECK(is_class(code, MPI_SUCCESS) || is_class(code, MPI_ERR_OTHER) ||
                  is_class(code, MPI_ERR_PENDING),
              "%s", caucus_error_text());
    }
    while (merged == CAUCUS_GROUP_NULL && rank == 1) {
        CHECK_MPI(caucus_group_poll(own, TAG, 1, &asker, &count));
        if (count > 0)
            code = caucus_group_take(own, &asker, 1, TAG, &merged);
        CHECK(is_class(code, MPI_SUCCESS) || is_class(code, MPI_ERR_ARG), "%s",
              caucus_error_text());
    }
    CHECK_MPI(caucus_group_members(merged, members));
    CHECK(members[0] == 1 && members[1] == 0 && members[2] == 2, "%d %d %d", members[0], members[1],
          members[2]);
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK(sum == 3, "%d", sum);
    CHECK_MPI(caucus_group_free(&merged));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, rank == 1 ? &rank : (int[]){0, 2},
                                  rank == 1 ? 1 : 2, 1, &own));
    check_withdrawing();
    MPI_Barrier(MPI_COMM_WORLD);
    check_giving_up();
    MPI_Barrier(MPI_COMM_WORLD);
    check_again();
    CHECK_MPI(caucus_group_free(&own));
    MPI_Finalize();
    return 0;
}
