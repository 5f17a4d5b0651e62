/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory for one of the messages by which groups ask others, take and refuse
 * them: nothing of that counts as said then, every member of its group hears of it, and the same
 * call goes through once there is memory. Who has none for what it is asked refuses. This program's
 * calloc, which the library finds before the C library's, refuses one after the other.
 *
 * run: ranks=5
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "refusing.h"

enum { MESSAGE = 48, NEVER = -1 };

static size_t least = MESSAGE; /* bytes of what is refused */

static int tag = 3; /* whose groups were taken with it ask no more with it */

static int left = NEVER; /* so many are granted yet */
static bool refused;
static int rank;
static caucus_group own; /* {0, 3}, which is asked; {1, 4}; {2} */

static bool refuses(size_t count, size_t size) {
    if (left == NEVER || size != 1 || count < least)
        return false;
    if (left-- > 0)
        return false;
    refused = true;
    return true;
}

static bool is_asked(void) {
    return rank % 3 == 0;
}

/* On one rank, from now on. */
static void refuse_after(int which, int granted) {
    left = rank == which ? granted : NEVER;
    refused = false;
}

/* What all of a group know: whether its first was refused memory. */
static bool end_refusal(void) {
    int any = refused;
    left = NEVER;
    CHECK_MPI(caucus_group_bcast(&any, 1, MPI_INT, 0, own));
    return any;
}

static void ask(caucus_group *merged, int *instead) {
    CHECK_MPI(caucus_group_ask(own, 0, tag, merged, instead));
}

static void wait_for_askers(void) {
    int askers[5], count = 0;
    while (rank == 0 && count < 2)
        CHECK_MPI(caucus_group_poll(own, tag, 5, askers, &count));
}

static void end_union(caucus_group *merged) {
    int one = 1, sum = 0;
    CHECK(*merged != CAUCUS_GROUP_NULL, "no union");
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *merged));
    CHECK(sum == 5, "%d members", sum);
    CHECK_MPI(caucus_group_free(merged));
    MPI_Barrier(MPI_COMM_WORLD);
    tag++;
}

/* An error on all of a group or on none, if its first was refused; the one that is told later is
 * not to be seen. */
static bool fails_alike(int code, caucus_group merged) {
    int mine = code != MPI_SUCCESS, sum = 0, size;
    CHECK(!mine == (merged != CAUCUS_GROUP_NULL), "code %d, and a group or none", code);
    CHECK_MPI(caucus_group_size(own, &size));
    CHECK_MPI(caucus_group_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, own));
    CHECK(sum == 0 || sum == size, "%d of %d have an error", sum, size);
    if (mine)
        expect(code, MPI_ERR_NO_MEM, "out of memory");
    return mine;
}

static bool take(int granted) {
    static const int askers[] = {1, 2};
    caucus_group merged = CAUCUS_GROUP_NULL;
    bool none_refused = false;
    if (is_asked()) {
        wait_for_askers();
        refuse_after(0, granted);
        int code = caucus_group_take(own, askers, 2, tag, &merged);
        none_refused = !end_refusal();
        if (fails_alike(code, merged))
            CHECK_MPI(caucus_group_take(own, askers, 2, tag, &merged));
    } else {
        ask(&merged, NULL);
    }
    end_union(&merged);
    return none_refused;
}

static bool wish(int granted) {
    static const int askers[] = {1, 2};
    caucus_group merged = CAUCUS_GROUP_NULL;
    bool none_refused = false;
    if (is_asked()) {
        wait_for_askers();
        CHECK_MPI(caucus_group_take(own, askers, 2, tag, &merged));
    } else if (rank == 2) {
        ask(&merged, NULL);
    } else {
        refuse_after(1, granted);
        int code = caucus_group_ask(own, 0, tag, &merged, NULL);
        none_refused = !end_refusal();
        if (fails_alike(code, merged))
            ask(&merged, NULL);
    }
    end_union(&merged);
    return none_refused;
}

/* Rank 0 has no memory for the list of rank 2. */
static void hear(void) {
    static const int askers[] = {1, 2};
    caucus_group merged = CAUCUS_GROUP_NULL;
    int instead = 0, count, code = MPI_SUCCESS;
    if (rank == 2) {
        ask(&merged, &instead);
        CHECK(merged == CAUCUS_GROUP_NULL && instead == MPI_PROC_NULL, "%d instead", instead);
    }
    left = rank == 0 ? 0 : NEVER;
    least = 1;
    while (rank == 0 && code == MPI_SUCCESS)
        code = caucus_group_poll(own, tag, 1, &(int){0}, &count);
    left = NEVER;
    if (rank == 0)
        expect(code, MPI_ERR_NO_MEM, "out of memory");
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_asked()) {
        wait_for_askers();
        CHECK_MPI(caucus_group_take(own, askers, 2, tag, &merged));
    } else {
        ask(&merged, NULL);
    }
    end_union(&merged);
}

static bool refuse_one(int granted) {
    caucus_group merged = CAUCUS_GROUP_NULL;
    int instead = 0, count = 0, asker;
    bool none_refused = false;
    if (rank == 2) {
        ask(&merged, &instead);
        CHECK(merged == CAUCUS_GROUP_NULL && instead == MPI_PROC_NULL, "%d instead", instead);
    }
    while (rank == 0 && count == 0)
        CHECK_MPI(caucus_group_poll(own, tag, 1, &asker, &count));
    refuse_after(0, granted);
    int code = rank == 0 ? caucus_group_refuse(own, 2, tag) : MPI_SUCCESS;
    left = NEVER;
    none_refused = !refused;
    if (code != MPI_SUCCESS) {
        expect(code, MPI_ERR_NO_MEM, "out of memory");
        CHECK_MPI(caucus_group_refuse(own, 2, tag));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return none_refused;
}

/* With one more granted each time, until all are. */
static void try_all(bool (*check)(int granted), int which) {
    int over = 0, granted = 0;
    for (; !over; granted++) {
        over = check(granted);
        MPI_Bcast(&over, 1, MPI_INT, which, MPI_COMM_WORLD);
    }
    CHECK(granted > 1, "nothing was refused");
}

int main(int argc, char **argv) {
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    rank = world_rank();
    if (rank == 2)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    else
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, (int[]){rank % 3, rank % 3 + 3}, 2, 1, &own));
    try_all(take, 0);
    try_all(wish, 1);
    try_all(refuse_one, 0);
    hear();
    CHECK_MPI(caucus_group_free(&own));
    MPI_Finalize();
    return 0;
}
