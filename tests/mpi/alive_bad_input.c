/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of those who live, where nobody dies but not all is well: bad arguments, a member that
 * comes late, lists that differ. All get the same error, and the next call is right.
 *
 * run: ranks=1,3,5 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <math.h>
#include <unistd.h>

enum { MOST = 8 };

static void check_arguments(MPI_Comm comm) {
    caucus_group group = CAUCUS_GROUP_NULL;
    int list[2] = {world_rank(), world_size()};
    MPI_Comm loose;
    CHECK_MPI(MPI_Comm_dup(comm, &loose));
    return_errors(loose);
    expect(caucus_group_create_alive(loose, list, 1, 1, &group), MPI_ERR_COMM, "attach");
    MPI_Comm_free(&loose);
    expect(caucus_group_create_alive(comm, list, 1, 1, NULL), MPI_ERR_ARG, "null pointer");
    expect(caucus_group_create_alive(comm, NULL, 1, 1, &group), MPI_ERR_ARG, "members is a null");
    expect(caucus_group_create_alive(comm, list, -1, 1, &group), MPI_ERR_ARG, "-1 members");
    expect(caucus_group_create_alive(comm, list, 2, 1, &group), MPI_ERR_ARG, "members[1] is");
    list[1] = list[0];
    expect(caucus_group_create_alive(comm, list, 2, 1, &group), MPI_ERR_ARG, "are both");
    expect(caucus_group_create_alive(comm, list, 1, 0, &group), MPI_ERR_ARG, "timeout is 0");
    expect(caucus_group_create_alive(comm, list, 1, (double)NAN, &group), MPI_ERR_ARG,
           "timeout is");
    expect(caucus_group_shrink_alive(CAUCUS_GROUP_NULL, 1, &group), MPI_ERR_ARG, "GROUP_NULL");
    expect(caucus_failures_detected(NULL), MPI_ERR_ARG, "null pointer");
    CHECK_MPI(caucus_group_create_alive(comm, list, 0, 1, &group));
    CHECK(group == CAUCUS_GROUP_NULL, "an empty group");
    list[0] = (world_rank() + 1) % world_size();
    if (world_size() > 1)
        CHECK_MPI(caucus_group_create_alive(comm, list, 1, 1, &group));
    CHECK(group == CAUCUS_GROUP_NULL, "a group of others");
}

static void fill(int list[]) {
    for (int i = 0; i < world_size(); i++)
        list[i] = i;
}

/* By a group of all, in the order of the list, and by one that it is shrunk to. */
static void check_all(MPI_Comm comm, const int list[]) {
    caucus_group group, same;
    int members[MOST], size, one = 1, sum;
    CHECK(caucus_group_create_alive(comm, list, world_size(), 20, &group) == MPI_SUCCESS, "%s",
          caucus_error_text());
    CHECK(caucus_group_shrink_alive(group, 20, &same) == MPI_SUCCESS, "%s", caucus_error_text());
    CHECK_MPI(caucus_group_free(&group));
    CHECK_MPI(caucus_group_size(same, &size));
    CHECK(size == world_size(), "%d members", size);
    CHECK_MPI(caucus_group_members(same, members));
    for (int i = 0; i < size; i++)
        CHECK(members[i] == list[i], "member %d is %d", i, members[i]);
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, same));
    CHECK(sum == size, "%d", sum);
    CHECK_MPI(caucus_group_free(&same));
}

static void check_late(MPI_Comm comm, int late) {
    caucus_group group;
    int list[MOST];
    char words[64];
    fill(list);
    snprintf(words, sizeof words, "(ranks of the parent: %d)", late);
    if (world_rank() == late)
        usleep(500000);
    expect(caucus_group_create_alive(comm, list, world_size(), 0.3, &group), MPI_ERR_OTHER, words);
    CHECK(group == CAUCUS_GROUP_NULL, "an error and a group");
    check_all(comm, list);
}

static void check_mismatch(MPI_Comm comm) {
    caucus_group group;
    int list[MOST];
    fill(list);
    if (world_rank() == 1) { /* all the same it reports to the first */
        list[1] = 2;
        list[2] = 1;
    }
    expect(caucus_group_create_alive(comm, list, world_size(), 2, &group), MPI_ERR_ARG, "differ");
    fill(list);
    if (world_rank() == 1) /* it is one call with this list behind */
        expect(caucus_group_create_alive(comm, list, world_size(), 2, &group), MPI_ERR_ARG,
               "differ");
    check_all(comm, list);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    int list[MOST], told;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(comm));
    CHECK_MPI(caucus_failures_detected(&told));
    CHECK(!told, "no such thing was asked for");
    check_arguments(comm);
    fill(list);
    check_all(comm, list);
    for (int late = 0; late < world_size() && world_size() > 1; late += 2)
        check_late(comm, late);
    if (world_size() > 1)
        check_mismatch(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
