/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that merge, grow and ask each other: how many messages that takes, who is in what comes of
 * it, and that groups which ask each other at random, in rings too, end as one.
 *
 * run: ranks=1,2,3,5,6
 * run: ranks=4 args="30 7" env=CAUCUS_NODES=cyclic:2 env=MPIR_CVAR_NUM_CLIQUES=2
 * run: ranks=6 args="2000 3" full */
#include "api/group/object.h"
#include "check.h"
#include "run/group/manager.h"

#include <caucus/caucus.h>

#include <string.h>

enum { MOST = 64 };

static int rank, ranks;
static unsigned seed;

static int below(int limit) {
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 8) % limit;
}

static int64_t received(caucus_group group) {
    return group->context->group->parent->manager->mailbox.received;
}

/* Messages that all ranks got since. */
static int64_t received_by_all(caucus_group group, int64_t before) {
    int64_t own = received(group) - before, all;
    MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void check_members(caucus_group group, const int *expected, int n) {
    int size, members[MOST], one = 1, sum = 0;
    CHECK_MPI(caucus_group_size(group, &size));
    CHECK(size == n, "%d members, not %d", size, n);
    CHECK_MPI(caucus_group_members(group, members));
    for (int i = 0; i < n; i++)
        CHECK(members[i] == expected[i], "members[%d] is %d, not %d", i, members[i], expected[i]);
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == n, "%d of %d", sum, n);
}

/* Nothing is freed before all is counted: that would be messages too. */
static caucus_group kept[1000];
static int kept_count;

static void keep(caucus_group group) {
    if (kept_count < 1000)
        kept[kept_count++] = group;
}

/* Every k-th rank, from the end on, is a group; all of them become one. Returns the messages. */
static int64_t count_merge(int k) {
    int list[MOST], all[MOST], firsts[MOST], n = 0, m = 0;
    caucus_group own, merged;
    for (int g = k - 1; g >= 0; g--) {
        firsts[k - 1 - g] = -1;
        for (int r = ranks - 1; r >= 0; r--) {
            if (r % k != g)
                continue;
            if (firsts[k - 1 - g] < 0)
                firsts[k - 1 - g] = r;
            all[m++] = r;
            if (rank % k == g)
                list[n++] = r;
        }
    }
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, n, 1, &own));
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t before = received(own);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_merge(own, list[0] == rank ? firsts : NULL, k, 2, &merged));
    int64_t messages = received_by_all(own, before);
    check_members(merged, all, ranks);
    keep(own);
    keep(merged);
    return messages;
}

static int64_t count_growth(int n) {
    int list[MOST], all[MOST], size = ranks - n;
    caucus_group own, grown;
    for (int i = 0; i < ranks; i++)
        all[i] = i;
    for (int i = 0; i < n; i++)
        list[i] = size + i;
    if (rank < size)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, all, size, 1, &own));
    else
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t before = received(own);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < size)
        CHECK_MPI(caucus_group_grow(own, list, n, 3, &grown));
    else
        CHECK_MPI(caucus_group_join(MPI_COMM_WORLD, 0, 3, &grown));
    int64_t messages = received_by_all(own, before);
    check_members(grown, all, ranks);
    keep(own);
    keep(grown);
    return messages;
}

/* Who has waited for 50 ms asks why, which takes messages too: on a busy machine some times are in
 * vain. */
static void expect_messages(int64_t (*count)(int), int argument, int64_t expected) {
    int64_t messages = -1;
    for (int attempt = 0; attempt < 20 && messages != expected; attempt++) {
        messages = count(argument);
        CHECK(messages >= expected, "%d messages, not %d", (int)messages, (int)expected);
    }
    CHECK(messages == expected, "%d messages, not %d, 20 times", (int)messages, (int)expected);
}

static void make_alone(caucus_group *group) {
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, group));
}

/* Rank 0 looks now and then until all others have asked, and takes them in, the last one first. */
static int64_t count_asking(int most) {
    int askers[MOST], all[MOST] = {0}, count = 0, instead = -7;
    caucus_group own, merged;
    make_alone(&own);
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t before = received(own);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        CHECK_MPI(caucus_group_ask(own, 0, 4, &merged, &instead));
        CHECK(instead == MPI_PROC_NULL, "%d", instead);
    } else {
        while (count < ranks - 1)
            CHECK_MPI(caucus_group_poll(own, 4, most, askers, &count));
        for (int i = 0; i < count; i++) {
            CHECK(askers[i] == i + 1, "askers[%d] is %d", i, askers[i]);
            all[i] = ranks - 1 - i;
        }
        CHECK_MPI(caucus_group_take(own, all, count, 4, &merged));
    }
    int64_t messages = received_by_all(own, before);
    for (int i = 1; i < ranks; i++)
        all[i] = ranks - i;
    all[0] = 0;
    check_members(merged, all, ranks);
    keep(own);
    keep(merged);
    return messages;
}

/* Rank 2 does not know that 0 has taken in 1, which looks after what it is asked all the same. */
static void ask_who_was_taken(caucus_group own) {
    int asker, count, instead = -7, done = 0, from;
    caucus_group merged;
    MPI_Request request;
    if (rank == 2) {
        CHECK_MPI(caucus_group_ask(own, 1, 5, &merged, &instead));
        CHECK(merged == CAUCUS_GROUP_NULL && instead == 0, "%d", instead);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank != 1 || ranks <= 2)
        return;
    MPI_Irecv(&from, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    while (!done) {
        CHECK_MPI(caucus_group_poll(own, 5, 1, &asker, &count));
        CHECK(count == 0, "who was taken takes nobody");
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* One is refused, asks again, and is taken. */
static void check_refusal(void) {
    int asker = -1, count = 0, instead = -7;
    caucus_group own, merged;
    make_alone(&own);
    if (rank == 1) {
        CHECK_MPI(caucus_group_ask(own, 0, 5, &merged, &instead));
        CHECK(merged == CAUCUS_GROUP_NULL && instead == MPI_PROC_NULL, "%d", instead);
        CHECK_MPI(caucus_group_ask(own, 0, 5, &merged, NULL));
        CHECK(merged != CAUCUS_GROUP_NULL, "not taken");
    } else if (rank == 0) {
        for (int times = 0; times < 2; times++, count = 0) {
            while (count == 0)
                CHECK_MPI(caucus_group_poll(own, 5, 1, &asker, &count));
            if (times == 0)
                CHECK_MPI(caucus_group_refuse(own, asker, 5));
        }
        CHECK_MPI(caucus_group_take(own, &asker, 1, 5, &merged));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ask_who_was_taken(own);
    if (rank < 2)
        CHECK_MPI(caucus_group_free(&merged));
    CHECK_MPI(caucus_group_free(&own));
}

enum { NOTHING, TAKE, ASK };

/* What the first of a group wants to do: take in who asks, or ask any rank that is no member. */
static void decide(caucus_group group, int tag, int *what, int target[2]) {
    int size, members[MOST], askers[MOST], count = 0, is_in[MOST] = {0};
    CHECK_MPI(caucus_group_size(group, &size));
    CHECK_MPI(caucus_group_members(group, members));
    CHECK_MPI(caucus_group_poll(group, tag, MOST, askers, &count));
    for (int i = 0; i < size; i++)
        is_in[members[i]] = 1;
    *what = count > 0 ? TAKE : ASK;
    if (count > 0) {
        memcpy(target, askers, (size_t)count * sizeof *askers);
        target[count] = -1;
        return;
    }
    if (target[0] < 0 || is_in[target[0]])
        do
            target[0] = below(ranks);
        while (is_in[target[0]]);
}

/* All ask somebody at random until they are one. Returns how many groups there were on the way. */
static void become_one(int tag) {
    int size = 1, what = NOTHING, target[MOST + 1] = {-1};
    caucus_group group, merged;
    make_alone(&group);
    while (size < ranks) {
        int place, instead = MPI_PROC_NULL;
        CHECK_MPI(caucus_group_rank(group, &place));
        if (place == 0)
            decide(group, tag, &what, target);
        CHECK_MPI(caucus_group_bcast(&what, 1, MPI_INT, 0, group));
        int count = 0;
        while (what == TAKE && place == 0 && target[count] >= 0)
            count++;
        if (what == TAKE)
            CHECK_MPI(caucus_group_take(group, target, count, tag, &merged));
        else
            CHECK_MPI(caucus_group_ask(group, target[0], tag, &merged, &instead));
        target[0] = instead == MPI_PROC_NULL ? -1 : instead;
        if (merged == CAUCUS_GROUP_NULL)
            continue;
        CHECK_MPI(caucus_group_free(&group));
        group = merged;
        CHECK_MPI(caucus_group_size(group, &size));
    }
    int one = 1, sum = 0;
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group));
    CHECK(sum == ranks, "%d", sum);
    CHECK_MPI(caucus_group_free(&group));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    ranks = world_size();
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    seed = (argc > 2 ? (unsigned)atoi(argv[2]) : 1) + 977u * (unsigned)rank;
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int k = 1; k <= ranks; k++)
        expect_messages(count_merge, k, ranks + k - 2);
    for (int n = 0; n < ranks; n++)
        expect_messages(count_growth, n, ranks + n - 1);
    expect_messages(count_asking, MOST, 2 * (int64_t)(ranks - 1));
    while (kept_count > 0)
        CHECK_MPI(caucus_group_free(&kept[--kept_count]));
    if (ranks > 1)
        check_refusal();
    for (int round = 0; round < rounds; round++)
        become_one(6 + round % 2);
    MPI_Finalize();
    return 0;
}
