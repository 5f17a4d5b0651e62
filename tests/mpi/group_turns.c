/* SPDX-License-Identifier: BSD-3-Clause */
/* What is begun behind requests, several at a time with one tag, counts from the call on, whether
 * or not anybody looks in between: by two ranks, of which the second one tests after each call.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=5 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>

static int rank;
static const int there[2] = {0, 1}, back[2] = {1, 0};

static void look(caucus_request *request) {
    int complete;
    if (rank == 1 && *request != CAUCUS_REQUEST_NULL)
        CHECK_MPI(caucus_test(request, &complete, MPI_STATUS_IGNORE));
}

static void check_group(caucus_group *group, bool backwards) {
    int place;
    CHECK_MPI(caucus_group_rank(*group, &place));
    CHECK(place == (backwards ? 1 - rank : rank), "place %d", place);
    CHECK_MPI(caucus_group_barrier(*group));
    CHECK_MPI(caucus_group_free(group));
}

static void check_creations(void) {
    caucus_group group[3];
    caucus_request request[2];
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, there, 2, 7, &group[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, back, 2, 7, &group[1], &request[1]));
    look(&request[0]);
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 7, &group[2]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++)
        check_group(&group[i], i == 1);
}

static void check_merges(void) {
    caucus_group own, merged[2];
    caucus_request request[2];
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    CHECK_MPI(caucus_group_imerge(own, there, 2, 8, &merged[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_imerge(own, back, 2, 8, &merged[1], &request[1]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++)
        check_group(&merged[i], i == 1);
    CHECK_MPI(caucus_group_free(&own));
}

static void use(MPI_Comm *made) {
    int one = 1, sum = 0;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *made));
    CHECK(sum == 2, "%d", sum);
    MPI_Comm_free(made);
}

static void check_communicators(void) {
    caucus_group group;
    MPI_Comm made[2];
    caucus_request request[2];
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, there, 2, 9, &group));
    CHECK_MPI(caucus_group_ito_comm(group, &made[0], &request[0]));
    look(&request[0]);
    CHECK_MPI(caucus_group_ito_comm(group, &made[1], &request[1]));
    CHECK_MPI(caucus_waitall(2, request, MPI_STATUSES_IGNORE));
    use(&made[0]);
    use(&made[1]);
    CHECK_MPI(caucus_group_free(&group));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    if (rank < 2) {
        check_creations();
        check_merges();
        check_communicators();
    }
    MPI_Finalize();
    return 0;
}
