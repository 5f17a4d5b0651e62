/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory, be it for what it may: while a balance is opened all get the error,
 * and the next one goes through, with groups of its own, whatever other groups are made beside it;
 * a poll is tried again. This program's calloc, which the library finds before the C library's,
 * refuses the library one array after the other.
 *
 * run: ranks=4
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "refusing.h"

/* Without the first array, the roll call's, a rank leaves an opening while others wait. */
enum { NEVER = -1, FIRST = 1 };

static int left = NEVER; /* so many are granted yet */
static int rank;
static bool refused;

static bool refuses(size_t count, size_t size) {
    (void)count, (void)size;
    if (left == NEVER || calloc_is_mpis())
        return false;
    if (left-- > 0)
        return false;
    return refused = true;
}

static bool any(bool mine) {
    int all = mine;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return all;
}

/* A collective of its group, with all the memory that it takes. */
static void meet(caucus_balance balance) {
    caucus_group group;
    int granted = left;
    left = NEVER;
    CHECK_MPI(caucus_balance_group(balance, &group, NULL, NULL));
    CHECK_MPI(caucus_group_barrier(group));
    left = granted;
}

/* Until all is done; who is refused polls again. Only the last group has work. */
static void work(caucus_balance balance) {
    int polls = 0, busy = rank / 2 == 1;
    for (int news = CAUCUS_BALANCE_GROWN; news != CAUCUS_BALANCE_OVER; polls++) {
        if (news == CAUCUS_BALANCE_GROWN)
            meet(balance);
        int code = caucus_balance_poll(balance, busy && polls < 20, &news);
        CHECK(code == MPI_SUCCESS || refused, "code %d, and nothing was refused", code);
        if (code != MPI_SUCCESS)
            CHECK_MPI(caucus_balance_poll(balance, busy && polls < 20, &news));
    }
}

static void use(caucus_balance *balance) {
    work(*balance);
    left = NEVER;
    CHECK_MPI(caucus_balance_close(balance));
}

static bool open_refused(int which, int granted) {
    caucus_balance balance = CAUCUS_BALANCE_NULL;
    refused = false;
    left = rank == which ? granted : NEVER;
    int code = caucus_balance_open(MPI_COMM_WORLD, 2, &balance);
    left = NEVER;
    bool fails = any(code != MPI_SUCCESS), is_refused = any(refused);
    CHECK(fails == (code != MPI_SUCCESS), "code %d, and others had another", code);
    CHECK(!fails || is_refused, "code %d, and nothing was refused", code);
    if (fails)
        CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 2, &balance));
    use(&balance);
    return is_refused;
}

static bool poll_refused(int which, int granted) {
    caucus_balance balance = CAUCUS_BALANCE_NULL;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 2, &balance));
    refused = false;
    left = rank == which ? granted : NEVER;
    use(&balance);
    return any(refused);
}

/* The same ranks make a group of their own, before or afterwards. */
static void check_beside(void) {
    caucus_balance balance;
    caucus_group group;
    int first = rank / 2 * 2;
    if (rank % 2 == 0)
        CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, first, first + 1, 1, &group));
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 2, &balance));
    if (rank % 2 == 1)
        CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, first, first + 1, 1, &group));
    CHECK_MPI(caucus_group_barrier(group));
    use(&balance);
    CHECK_MPI(caucus_group_free(&group));
}

int main(int argc, char **argv) {
    int status = begin_refusing(&argc, &argv), granted, polls = 0;
    if (status)
        return status;
    rank = world_rank();
    check_beside();
    for (int which = 0; which < 4; which++) {
        for (granted = FIRST; open_refused(which, granted); granted++)
            ;
        CHECK(granted > FIRST, "nothing was refused on rank %d", which);
        for (granted = 0; poll_refused(which, granted); granted++)
            ;
        polls += granted; /* few ranks need memory in theirs */
    }
    CHECK(polls > 0, "no poll was refused anything");
    MPI_Finalize();
    return 0;
}
