/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that help each other: works of random length, of which every item is done exactly once,
 * by groups that all their members know alike; who has no part sends nothing; bad arguments, and a
 * member that does not poll.
 *
 * run: ranks=1,2,4 env=CAUCUS_TIMEOUT=3
 * run: ranks=3,5,6 env=CAUCUS_TIMEOUT=3 env=MPIR_CVAR_NUM_CLIQUES=3 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <string.h>
#include <unistd.h>

enum { MOST_ITEMS = 40, MOST_WORKS = 8, POLLS = 200 };

static int done[MOST_WORKS][MOST_ITEMS], all[MOST_WORKS][MOST_ITEMS];

static int length_of(int work, unsigned round) {
    unsigned x = (unsigned)work * 2654435761u + round * 40503u;
    x ^= x >> 15;
    return round % 4 == 0 ? 0 : (int)(x % (round % 4 == 1 ? 4 : MOST_ITEMS));
}

/* Members of the group, checked by a collective; the work's items that are left, from who knows. */
static int take_over(caucus_balance balance, int *work, int old_work, int left, int first) {
    int source, size, rank, one = 1, sum = 0, told[2] = {left, old_work}, members[8];
    caucus_group group;
    CHECK_MPI(caucus_balance_group(balance, &group, &source, work));
    CHECK_MPI(caucus_group_size(group, &size));
    CHECK_MPI(caucus_group_rank(group, &rank));
    CHECK_MPI(caucus_group_members(group, members));
    CHECK(members[rank] == world_rank(), "rank %d is %d", rank, members[rank]);
    for (int i = 1; i < size; i++)
        CHECK(members[i] == (members[i - 1] + 1) % world_size(), "no stretch of the ring");
    CHECK_MPI(caucus_group_bcast(told, 2, MPI_INT, source, group));
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == size, "%d of %d", sum, size);
    CHECK(first || told[1] == *work, "the source has work %d, not %d", told[1], *work);
    return told[0];
}

static void do_item(caucus_balance balance, int work, int item) {
    int size, rank;
    caucus_group group;
    CHECK_MPI(caucus_balance_group(balance, &group, NULL, NULL));
    CHECK_MPI(caucus_group_size(group, &size));
    CHECK_MPI(caucus_group_rank(group, &rank));
    if (item % size != rank)
        return;
    done[work][item]++;
    usleep((useconds_t)(item % 7) * 50);
}

static void run(int group_size, unsigned round) {
    caucus_balance balance;
    caucus_balance_counters counters;
    int work = world_rank() / group_size, left = length_of(work, round), count = 0;
    memset(done, 0, sizeof done);
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, group_size, &balance));
    for (int news = CAUCUS_BALANCE_GROWN, first = 1; news != CAUCUS_BALANCE_OVER; first = 0) {
        if (news == CAUCUS_BALANCE_GROWN) {
            left = take_over(balance, &work, work, left, first);
            count += !first;
        }
        if (left > 0)
            do_item(balance, work, --left);
        CHECK_MPI(caucus_balance_poll(balance, left > 0, &news));
    }
    int news;
    CHECK_MPI(caucus_balance_poll(balance, 1, &news));
    CHECK(news == CAUCUS_BALANCE_OVER, "news %d after the end", news);
    CHECK_MPI(caucus_balance_statistics(balance, &counters));
    CHECK(counters.regroupings == count, "%d", count);
    CHECK(counters.waited >= 0, "waited for %g s", counters.waited);
    CHECK_MPI(caucus_balance_close(&balance));
    CHECK(balance == CAUCUS_BALANCE_NULL, "not null");
    MPI_Allreduce(done, all, MOST_WORKS * MOST_ITEMS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int w = 0; w * group_size < world_size(); w++)
        for (int i = 0; i < MOST_ITEMS; i++)
            CHECK(all[w][i] == (i < length_of(w, round)), "item %d of work %d: %d times", i, w,
                  all[w][i]);
}

/* Group 0 is done and joins group 1, while group 2 is busy and hears nothing of it: its first rank
 * sends a message for each poll, to the other, who sends none. */
static void check_others(void) {
    caucus_balance balance;
    caucus_balance_counters counters;
    int news = CAUCUS_BALANCE_SAME, polls = 0, told = 0, group = world_rank() / 2;
    if (world_size() != 6)
        return;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 2, &balance));
    if (group == 2) {
        for (; polls < POLLS || !told; polls++) {
            if (polls == POLLS - 1) /* until the others are together */
                MPI_Recv(&told, 1, MPI_INT, world_rank() - 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_MPI(caucus_balance_poll(balance, 1, &news));
            CHECK(news == CAUCUS_BALANCE_SAME, "news %d", news);
        }
        CHECK_MPI(caucus_balance_statistics(balance, &counters));
        CHECK(counters.messages == (world_rank() == 4 ? polls : 0) && counters.regroupings == 0,
              "%d messages in %d polls", (int)counters.messages, polls);
        MPI_Send(&told, 1, MPI_INT, world_rank() - 4, 0, MPI_COMM_WORLD);
    } else {
        while (news != CAUCUS_BALANCE_GROWN) {
            CHECK_MPI(caucus_balance_poll(balance, group == 1, &news));
            usleep(100); /* or the first is thousands of polls ahead of the other */
        }
        told = 1;
        if (group == 0) { /* whose first rank says when the new group is done, too */
            MPI_Send(&told, 1, MPI_INT, world_rank() + 4, 0, MPI_COMM_WORLD);
            MPI_Recv(&told, 1, MPI_INT, world_rank() + 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    CHECK_MPI(caucus_balance_close(&balance));
}

static void check_arguments(void) {
    caucus_balance balance = CAUCUS_BALANCE_NULL;
    caucus_balance_counters counters;
    int news = CAUCUS_BALANCE_SAME;
    expect(caucus_balance_open(MPI_COMM_NULL, 1, &balance), MPI_ERR_COMM, "MPI_COMM_NULL");
    expect(caucus_balance_open(MPI_COMM_WORLD, 0, &balance), MPI_ERR_ARG, "group_size is 0");
    expect(caucus_balance_open(MPI_COMM_WORLD, 1, NULL), MPI_ERR_ARG, "balance is a null pointer");
    if (world_size() > 1)
        expect(caucus_balance_open(MPI_COMM_WORLD, 1 + world_rank(), &balance), MPI_ERR_ARG,
               "group_size");
    expect(caucus_balance_poll(balance, 1, &news), MPI_ERR_ARG, "CAUCUS_BALANCE_NULL");
    expect(caucus_balance_group(balance, NULL, NULL, NULL), MPI_ERR_ARG, "CAUCUS_BALANCE_NULL");
    expect(caucus_balance_close(&balance), MPI_ERR_ARG, "CAUCUS_BALANCE_NULL");
    expect(caucus_balance_close(NULL), MPI_ERR_ARG, "CAUCUS_BALANCE_NULL");
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 1 << 30, &balance));
    CHECK_MPI(caucus_balance_group(balance, NULL, NULL, NULL));
    expect(caucus_balance_poll(balance, 1, NULL), MPI_ERR_ARG, "news is a null pointer");
    expect(caucus_balance_statistics(balance, NULL), MPI_ERR_ARG, "counters is a null pointer");
    expect(caucus_balance_close(&balance), MPI_ERR_PENDING, "no poll of this rank");
    CHECK_MPI(caucus_balance_statistics(balance, &counters));
    CHECK(counters.polls == 0, "a failed poll counts");
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    CHECK_MPI(caucus_balance_close(&balance));
}

/* Once its communicator is freed, errors go to the handler of MPI_COMM_SELF. */
static void check_freed_communicator(void) {
    caucus_balance balance;
    int news = CAUCUS_BALANCE_SAME;
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(caucus_balance_open(comm, 1, &balance));
    CHECK_MPI(MPI_Comm_free(&comm));
    expect(caucus_balance_poll(balance, 1, NULL), MPI_ERR_ARG, "news is a null pointer");
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    CHECK_MPI(caucus_balance_close(&balance));
}

/* Rank 0 does not poll: all others name somebody, have waited as long as they may, and can close.
 */
static void check_absent(void) {
    caucus_balance balance;
    caucus_balance_counters counters;
    int news = CAUCUS_BALANCE_SAME;
    if (world_size() != 3)
        return;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 3, &balance));
    if (world_rank() > 0) {
        expect(caucus_balance_poll(balance, 1, &news), MPI_ERR_OTHER, "rank 0 has not polled");
        expect(caucus_balance_poll(balance, 1, &news), MPI_ERR_OTHER, "earlier poll");
        CHECK_MPI(caucus_balance_statistics(balance, &counters));
        CHECK(counters.waited > 3, "waited for %g s", counters.waited);
        CHECK_MPI(caucus_balance_close(&balance));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        while (news != CAUCUS_BALANCE_OVER)
            CHECK_MPI(caucus_balance_poll(balance, 0, &news));
        expect(caucus_balance_close(&balance), MPI_ERR_OTHER, "has not closed");
        CHECK(balance == CAUCUS_BALANCE_NULL, "not null");
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    check_arguments();
    for (unsigned round = 0; round < 12; round++)
        for (int group_size = 1; group_size <= 3; group_size++)
            run(group_size, round);
    check_others();
    check_freed_communicator();
    check_absent();
    MPI_Finalize();
    return 0;
}
