/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective of a group fails, or a communicator or a group out of it, since a member does not
 * call it, and what others have sent for it is never taken. All free the group: none that is made
 * later hears of that.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=0.4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.4 */
#include "expect_error.h"

#include <caucus/caucus.h>
#include <stdbool.h>

enum { MOST = 8, GROUPS = 70 /* numbers come again after 64 */ };

static int list[MOST], size;

static caucus_group make(int tag) {
    caucus_group group;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size, tag, &group));
    return group;
}

static void fail_one(bool nonblocking) {
    caucus_group group = make(0);
    int own = 1 << 20, sum;
    CHECK_MPI(caucus_group_barrier(group));
    if (world_rank() < size - 1 && nonblocking) {
        caucus_request request;
        CHECK_MPI(caucus_group_iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, group, &request));
        expect(caucus_wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER, "after 0.4 seconds");
    } else if (world_rank() < size - 1) {
        expect(caucus_group_allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, group), MPI_ERR_OTHER,
               "after 0.4 seconds");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_free(&group));
}

/* Who does not call will have heard of it before it frees the group. */
static void fail_to_make(bool within) {
    caucus_group group = make(0), made;
    MPI_Comm comm;
    CHECK_MPI(caucus_group_barrier(group));
    if (world_rank() < size - 1 && within)
        expect(caucus_group_create_within(group, list, size, 2, &made), MPI_ERR_OTHER,
               "did not come within");
    else if (world_rank() < size - 1)
        expect(caucus_group_to_comm(group, &comm), MPI_ERR_OTHER, "did not come within");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_free(&group));
}

/* Who comes late gets the error too, and then all have what they ask for again, some while it is
 * not yet through. */
static void come_late(void) {
    caucus_group group = make(0);
    MPI_Comm comm;
    CHECK_MPI(caucus_group_barrier(group));
    if (world_rank() < size - 1)
        expect(caucus_group_to_comm(group, &comm), MPI_ERR_OTHER, "did not come within");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == size - 1)
        expect(caucus_group_to_comm(group, &comm), MPI_ERR_OTHER, "");
    CHECK_MPI(caucus_group_to_comm(group, &comm));
    MPI_Comm_free(&comm);
    CHECK_MPI(caucus_group_free(&group));
}

static void make_out_of(caucus_group group) {
    caucus_group within;
    MPI_Comm made;
    int one = 1, sum = 0;
    CHECK_MPI(caucus_group_to_comm(group, &made));
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made));
    MPI_Comm_free(&made);
    CHECK_MPI(caucus_group_create_within(group, list, size, 2, &within));
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, within));
    CHECK(sum == size, "%d members", sum);
    CHECK_MPI(caucus_group_free(&within));
}

static void use_many(void) {
    for (int round = 0; round < GROUPS; round++) {
        caucus_group group = make(1);
        caucus_request request;
        int own = round, sum = 0, later = 0;
        CHECK_MPI(caucus_group_allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, group));
        CHECK_MPI(caucus_group_iallreduce(&own, &later, 1, MPI_INT, MPI_SUM, group, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        CHECK(sum == round * size && later == sum, "group %d: sums are %d and %d, not %d", round,
              sum, later, round * size);
        make_out_of(group);
        CHECK_MPI(caucus_group_free(&group));
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    size = world_size();
    for (int i = 0; i < size; i++)
        list[i] = i;
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    fail_one(false);
    fail_one(true);
    come_late();
    fail_to_make(false);
    fail_to_make(true);
    use_many();
    MPI_Finalize();
    return 0;
}
