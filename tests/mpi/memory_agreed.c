/* SPDX-License-Identifier: BSD-3-Clause */
/* A member has no memory for what all have agreed on: for a communicator it says so before the
 * others are inside MPI, for the first persistent collective on a group before they wait for it,
 * and the number of a union that others have is not used for another group.
 * This program's calloc, which the library finds before the C library's, refuses one array.
 *
 * run: ranks=3 env=CAUCUS_TIMEOUT=20
 * run: ranks=3 args=init
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "refusing.h"

#include "api/collective/group_handle.h"
#include "plan/group/numbers.h"
#include "run/group/group.h"

static int rank;

/* Arrays of so many are refused on this rank when some were granted. */
static size_t elements, bytes_each;
static int left;
static bool refused;

static bool refuses(size_t count, size_t size) {
    if (elements == 0 || count != elements || size != bytes_each || left-- > 0)
        return false;
    elements = 0;
    refused = true;
    return true;
}

static void refuse_after(int which, int granted, size_t size) {
    refused = false;
    left = granted;
    bytes_each = size;
    elements = rank == which ? 3 : 0;
}

static bool end_refusal(int which) {
    int any = refused;
    elements = 0;
    MPI_Bcast(&any, 1, MPI_INT, which, MPI_COMM_WORLD);
    return any;
}

static int by_request(caucus_group group, MPI_Comm *made) {
    caucus_request request;
    int code = caucus_group_ito_comm(group, made, &request);
    return code == MPI_SUCCESS ? caucus_wait(&request, MPI_STATUS_IGNORE) : code;
}

static int by_the_living(caucus_group group, MPI_Comm *made) {
    return caucus_group_to_comm_alive(group, 20, made);
}

/* Of the arrays of ranks of the parent that rank 1 needs, each of the first ones: MPI's own follow,
 * without which MPICH 5.0.2 crashes. */
static void check_communicators(int (*make)(caucus_group group, MPI_Comm *made), int arrays) {
    caucus_group group;
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &group));
    for (int granted = 0; granted < arrays; granted++) {
        MPI_Comm made = MPI_COMM_NULL;
        refuse_after(1, granted, sizeof(int));
        int code = make(group, &made);
        CHECK(end_refusal(1) && made == MPI_COMM_NULL, "nothing was refused, or in vain");
        if (rank == 1)
            expect(code, MPI_ERR_NO_MEM, "out of memory");
        else
            expect(code, MPI_ERR_ARG, make == by_the_living ? "one failed" : "or no memory");
    }
    CHECK_MPI(caucus_group_free(&group));
}

/* Whether the arrays of ranks that the first one takes are had, or all members hear of it. */
static void check_first_init(void) {
    caucus_group group;
    caucus_request request;
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &group));
    CHECK_MPI(caucus_group_barrier(group)); /* it is there, and goes by messages yet */
    for (int granted = 0, code = MPI_ERR_NO_MEM; code != MPI_SUCCESS; granted++) {
        refuse_after(1, granted, sizeof(int));
        code = caucus_group_barrier_init(group, MPI_INFO_NULL, &request);
        if (end_refusal(1))
            expect(code, MPI_ERR_NO_MEM, "rank 1: out of memory");
        else
            CHECK_MPI(code);
    }
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    CHECK_MPI(caucus_group_free(&group));
}

static int place_of(caucus_group group) {
    return caucus_group_place(group->context->group->number);
}

/* Whether any of many groups of ranks 0 and 1 has the tags of one that lives. */
static void check_others(caucus_group living) {
    for (int i = 0; i < 130; i++) {
        caucus_group other;
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, (const int[]){0, 1}, 2, 3, &other));
        CHECK(living == CAUCUS_GROUP_NULL || place_of(living) != place_of(other),
              "two groups have the same tags");
        CHECK_MPI(caucus_group_free(&other));
    }
}

/* {0, 2} and {1}: the array is that of the union, which rank 0 has made once before. */
static void check_merge(caucus_group own) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    refuse_after(0, 1, sizeof(struct caucus_member_place));
    int code = caucus_group_merge(own, (const int[]){0, 1}, 2, 4, &merged);
    CHECK(end_refusal(0), "nothing was refused");
    if (rank != 1)
        expect(code, MPI_ERR_NO_MEM, "out of memory");
    else
        CHECK_MPI(code);
    if (rank < 2)
        check_others(merged);
    if (merged != CAUCUS_GROUP_NULL)
        CHECK_MPI(caucus_group_free(&merged));
}

/* The same where {1} asks: it waits on, and is taken once there is memory. */
static void check_take(caucus_group own) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    int asker = 1, count = 0, size;
    if (rank == 1) {
        CHECK_MPI(caucus_group_ask(own, 0, 5, &merged, NULL));
    } else {
        while (rank == 0 && count == 0)
            CHECK_MPI(caucus_group_poll(own, 5, 1, &asker, &count));
        refuse_after(0, 1, sizeof(struct caucus_member_place));
        int code = caucus_group_take(own, &asker, 1, 5, &merged);
        expect(code, MPI_ERR_NO_MEM, "out of memory");
        CHECK_MPI(caucus_group_take(own, &asker, 1, 5, &merged));
    }
    CHECK_MPI(caucus_group_size(merged, &size));
    CHECK(size == 3, "%d members", size);
    CHECK_MPI(caucus_group_barrier(merged));
    CHECK_MPI(caucus_group_free(&merged));
    CHECK(end_refusal(0), "nothing was refused");
}

int main(int argc, char **argv) {
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    rank = world_rank();
    if (argc > 1) { /* with a limit, who lacks memory for the roll call does not come */
        check_first_init();
        MPI_Finalize();
        return 0;
    }
    check_communicators(caucus_group_to_comm, 2);
    check_communicators(by_request, 2);
#if MPI_VERSION >= 4
    check_communicators(by_the_living, 1);
#endif
    caucus_group own;
    if (rank == 1)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    else
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, (const int[]){0, 2}, 2, 1, &own));
    check_merge(own);
    check_take(own);
    CHECK_MPI(caucus_group_free(&own));
    MPI_Finalize();
    return 0;
}
