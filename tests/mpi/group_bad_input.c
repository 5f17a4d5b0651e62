/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad arguments of groups: an error class and words on every rank concerned, no message where it
 * can be seen alone, and never a hang: lists that differ, in every way that three ranks can do so,
 * and a member that does not come.
 *
 * run: ranks=1,2,3,5 env=CAUCUS_TIMEOUT=3 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <string.h>

static void check_arguments(void) {
    caucus_group group = CAUCUS_GROUP_NULL;
    int list[3] = {world_rank(), world_size(), 0}, value = 0;
    MPI_Comm loose;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &loose));
    return_errors(loose);
    expect(caucus_group_create(loose, list, 1, 0, &group), MPI_ERR_COMM, "caucus_comm_attach");
    expect(caucus_group_from_comm(loose, &group), MPI_ERR_COMM, "caucus_comm_attach");
    MPI_Comm_free(&loose);
    expect(caucus_group_create(MPI_COMM_WORLD, list, 1, 0, NULL), MPI_ERR_ARG, "null pointer");
    expect(caucus_group_create(MPI_COMM_WORLD, NULL, 1, 0, &group), MPI_ERR_ARG, "null pointer");
    expect(caucus_group_create(MPI_COMM_WORLD, list, -1, 0, &group), MPI_ERR_ARG, "-1 members");
    expect(caucus_group_create(MPI_COMM_WORLD, list, 1, -1, &group), MPI_ERR_ARG, "tag is -1");
    expect(caucus_group_create(MPI_COMM_WORLD, list, 2, 0, &group), MPI_ERR_ARG, "members[1] is");
    list[1] = list[0];
    expect(caucus_group_create(MPI_COMM_WORLD, list, 2, 0, &group), MPI_ERR_ARG, "members");
    expect(caucus_group_create_range(MPI_COMM_WORLD, 0, 0, 0, &group), MPI_ERR_ARG, "stride");
    expect(caucus_group_create_range(MPI_COMM_WORLD, 0, world_size(), 1, &group), MPI_ERR_ARG,
           "last");
    expect(caucus_group_free(&group), MPI_ERR_ARG, "CAUCUS_GROUP_NULL");
    expect(caucus_group_barrier(group), MPI_ERR_ARG, "CAUCUS_GROUP_NULL");
    expect(caucus_group_rank(group, &value), MPI_ERR_ARG, "CAUCUS_GROUP_NULL");
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, 0, 0, &group));
    CHECK(group == CAUCUS_GROUP_NULL, "an empty group");
    list[0] = (world_rank() + 1) % world_size();
    if (world_size() > 1)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, 1, 0, &group));
    CHECK(group == CAUCUS_GROUP_NULL, "a group of others");
}

static void check_use(void) {
    caucus_group group;
    int self = world_rank(), value = 0;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &self, 1, 0, &group));
    expect(caucus_group_size(group, NULL), MPI_ERR_ARG, "size is a null pointer");
    expect(caucus_group_send(&value, 1, MPI_INT, 1, 0, group), MPI_ERR_RANK, "destination is 1");
    expect(caucus_group_send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, group), MPI_ERR_RANK,
           "destination is");
    expect(caucus_group_recv(&value, 1, MPI_INT, -9, 0, group, MPI_STATUS_IGNORE), MPI_ERR_RANK,
           "source is -9");
    expect(caucus_group_send(&value, 1, MPI_INT, 0, 16, group), MPI_ERR_TAG, "from 0 to 15");
    expect(caucus_group_send(&value, -1, MPI_INT, 0, 0, group), MPI_ERR_COUNT, "count is -1");
    expect(caucus_group_bcast(&value, 1, MPI_INT, 1, group), MPI_ERR_ROOT, "root is 1");
    CHECK_MPI(caucus_group_bcast(&value, 1, MPI_INT, 0, group));
    CHECK_MPI(caucus_group_free(&group));
}

/* Once the parent is freed, errors go to the handler of MPI_COMM_SELF. */
static void check_freed_parent(void) {
    caucus_group group, made;
    MPI_Comm comm;
    int first = 0;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(caucus_comm_attach(comm));
    CHECK_MPI(caucus_group_from_comm(comm, &group));
    CHECK_MPI(MPI_Comm_free(&comm));
    expect(caucus_group_isplit(group, 0, 0, &made, NULL), MPI_ERR_REQUEST, "request is a null");
    expect(caucus_group_imerge(group, &first, 1, 0, &made, NULL), MPI_ERR_REQUEST,
           "request is a null");
    CHECK_MPI(caucus_group_free(&group));
}

/* The first call errs: what it began is gone with the group, or the communicator. */
static void check_first_call(void) {
    caucus_group group;
    caucus_request request;
    MPI_Comm comms[2];
    int self = world_rank(), value = 0;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &self, 1, 0, &group));
    expect(caucus_group_ibcast(&value, -1, MPI_INT, 0, group, &request), MPI_ERR_COUNT, "-1");
    CHECK_MPI(caucus_group_free(&group));
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        return_errors(comms[i]);
    }
    expect(caucus_ibcast(&value, -1, MPI_INT, 0, comms[0], &request), MPI_ERR_COUNT, "-1");
    CHECK_MPI(MPI_Comm_free(&comms[0]));
    CHECK_MPI(caucus_ibarrier(comms[1], &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Comm_free(&comms[1]));
}

/* Every way in which ranks 0 to 2 can have each other in their lists: where a rank has two others
 * that do not have each other, lists differ, and all who are concerned fail. So they do where the
 * order differs. */
static void check_differing(void) {
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int choice = 0; choice < 8 && world_size() > 2 && world_rank() < 3; choice++) {
        int list[3], n = 0, knows[3] = {0}, edges = 0;
        caucus_group group = CAUCUS_GROUP_NULL;
        knows[world_rank()] = 1;
        for (int pair = 0; pair < 3; pair++) {
            const int *of = pairs[pair];
            if (!(choice >> pair & 1))
                continue;
            edges++;
            if (of[0] == world_rank() || of[1] == world_rank())
                knows[of[0]] = knows[of[1]] = 1;
        }
        for (int r = 0; r < 3; r++)
            if (knows[r])
                list[n++] = r;
        int code = caucus_group_create(MPI_COMM_WORLD, list, n, 100 + choice, &group);
        if (edges == 2) {
            expect(code, MPI_ERR_ARG, "the lists of members differ");
        } else {
            CHECK(code == MPI_SUCCESS && group, "choice %d: %s", choice, caucus_error_text());
            CHECK_MPI(caucus_group_free(&group));
        }
        if (world_rank() < 2) {
            int pair[2] = {choice & world_rank(), 1 - (choice & world_rank())};
            code = caucus_group_create(MPI_COMM_WORLD, pair, 2, 7, &group);
            if (choice & 1) {
                expect(code, MPI_ERR_ARG, "the lists of members differ");
            } else {
                CHECK_MPI(code);
                CHECK_MPI(caucus_group_free(&group));
            }
        }
    }
}

static void check_absent(void) {
    caucus_group group;
    int list[2] = {0, 1};
    if (world_size() < 2 || world_rank() != 0)
        return;
    expect(caucus_group_create(MPI_COMM_WORLD, list, 2, 7, &group), MPI_ERR_OTHER,
           "rank 1 of the parent, a member, did not come");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    check_arguments();
    check_use();
    check_first_call();
    check_freed_parent();
    check_differing();
    MPI_Barrier(MPI_COMM_WORLD);
    check_absent();
    MPI_Finalize();
    return 0;
}
