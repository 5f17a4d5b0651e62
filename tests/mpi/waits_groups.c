/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in calls that make groups, in messages of groups, pools and balances tell whom they wait
 * for: one comes late to each, and asks the others before it does.
 *
 * run: ranks=4 args=lists env=CAUCUS_SIGNAL=USR2 env=CAUCUS_TIMEOUT=20
 * run: ranks=4 args=joining env=CAUCUS_SIGNAL=USR2 env=CAUCUS_TIMEOUT=20
 * run: ranks=4 args=other env=CAUCUS_SIGNAL=USR2 env=CAUCUS_TIMEOUT=20 */
#include "said.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <string.h>

enum { RANKS = 4 };
static const int everybody[RANKS] = {0, 1, 2, 3};

static void check_lists(void) {
    caucus_group group, part;
    all_but(3);
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, everybody, RANKS, 1, &group));
    all_came();
    expect_said(0, "in caucus_group_create, 4 members, tag 1: rank 3 has not come (message UP)");
    expect_said(1, "tag 1: rank 0 has not told that all have come (message DOWN)");
    CHECK_MPI(caucus_group_free(&group));
    all_but(0);
    CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, everybody, RANKS, 2, &group));
    all_came();
    expect_said(1, "in caucus_group_create_unchecked, 4 members, tag 2: rank 0 has not told the "
                   "number of the group (message DOWN)");
    all_but(3);
    CHECK_MPI(caucus_group_split(group, world_rank() % 2, 0, &part));
    all_came();
    expect_said(0, "waits in allgather");
    CHECK_MPI(caucus_group_free(&part));
    CHECK_MPI(caucus_group_free(&group));
}

static void check_communicators(void) {
    caucus_group group;
    MPI_Comm comm;
    MPI_Group all;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, everybody, RANKS, 3, &group));
    all_but(3);
    CHECK_MPI(caucus_group_to_comm(group, &comm));
    all_came();
    expect_said(0, "in caucus_group_to_comm, 4 members: rank 3 has not come (message UP)");
    expect_said(2, "in caucus_group_to_comm, 4 members: rank 0 has not told that all have come");
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(caucus_group_free(&group));
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    all_but(3);
    CHECK_MPI(caucus_comm_create_group(MPI_COMM_WORLD, all, 5, &comm));
    all_came();
    expect_said(2,
                "in caucus_comm_create_group, 4 members: rank 0 has not told that all have come");
    expect_said(0, "in caucus_comm_create_group, 4 members: rank 3 has not come (message UP)");
    expect_said(1, "rank 0 has not told that all have come (message DOWN)");
    CHECK_MPI(MPI_Comm_free(&comm));
    MPI_Group_free(&all);
}

/* The last one's group is {2, 3}, whose leader has come. */
static void check_between(void) {
    const int members[2][2] = {{0, 1}, {2, 3}};
    const char *name = "in caucus_intercomm_create_group";
    const int side = world_rank() / 2;
    char words[128];
    caucus_group half;
    MPI_Comm comm;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, members[side], 2, 4, &half));
    all_but(3);
    CHECK_MPI(caucus_intercomm_create_group(half, 0, side == 0 ? 2 : 0, 5, &comm));
    all_came();
    snprintf(words, sizeof words, "%s: rank 2 has not said how its group fares", name);
    expect_said(0, words);
    snprintf(words, sizeof words, "%s: rank 0 has not told what the leaders have found", name);
    expect_said(1, words);
    snprintf(words, sizeof words, "%s, 2 members: rank 3 has not come (message UP)", name);
    expect_said(2, words);
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(caucus_group_free(&half));
}

static void check_merge(caucus_group half) {
    const int firsts[] = {0, 2};
    caucus_group merged;
    all_but(2);
    CHECK_MPI(caucus_group_merge(half, firsts, 2, 3, &merged));
    all_came();
    expect_said(0, "in caucus_group_merge, firsts of groups, 2 members, tag 3: rank 2 has not come "
                   "(message UP)");
    expect_said(
        1, "in caucus_group_merge: rank 0 has not told what becomes of the group (message INSIDE)");
    CHECK_MPI(caucus_group_free(&merged));
}

/* The first two and another one, which is late the first time; then the first is. */
static void check_growth(caucus_group half) {
    for (int late = 2; late >= 0; late -= 2) {
        caucus_group grown = CAUCUS_GROUP_NULL;
        const int joining[] = {2};
        all_but(late);
        if (world_rank() < 2)
            CHECK_MPI(caucus_group_grow(half, joining, 1, 4, &grown));
        if (world_rank() == 2)
            CHECK_MPI(caucus_group_join(MPI_COMM_WORLD, 0, 4, &grown));
        all_came();
        if (late == 2)
            expect_said(0, "in caucus_group_grow, 2 members, tag 4: rank 2 has not come");
        else
            expect_said(2, "in caucus_group_join, 2 members, tag 4: rank 0 has not told");
        expect_said(1, "in caucus_group_grow: rank 0 has not told what becomes of the group");
        if (grown != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(&grown));
    }
}

static void check_asking(caucus_group half) {
    caucus_group merged;
    int asker, count = 0, instead;
    all_but(0);
    if (world_rank() >= 2)
        CHECK_MPI(caucus_group_ask(half, 0, 5, &merged, &instead));
    while (world_rank() == 0 && count == 0)
        CHECK_MPI(caucus_group_poll(half, 5, 1, &asker, &count));
    if (world_rank() < 2)
        CHECK_MPI(caucus_group_take(half, &asker, count, 5, &merged));
    all_came();
    expect_said(2, "in caucus_group_ask: rank 0 has not answered whether it takes this group in "
                   "(message TAKEN or REFUSED)");
    expect_said(3, "in caucus_group_ask: rank 2 has not told what becomes of the group");
    CHECK_MPI(caucus_group_free(&merged));
}

static void check_joining(void) {
    const int members[2][2] = {{0, 1}, {2, 3}};
    caucus_group half;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, members[world_rank() / 2], 2, 6, &half));
    check_merge(half);
    check_growth(half);
    check_asking(half);
    CHECK_MPI(caucus_group_free(&half));
}

static void check_alive(void) {
    caucus_group group, rest;
    all_but(3);
    CHECK_MPI(caucus_group_create_alive(MPI_COMM_WORLD, everybody, RANKS, 20, &group));
    all_came();
    expect_said(0, "in caucus_group_create_alive, a list of 4: rank 2 has not come, or somebody "
                   "below it in the tree (message UP)");
    expect_said(1, "rank 0 has not proposed the group (message PREP)");
    all_but(0);
    CHECK_MPI(caucus_group_shrink_alive(group, 20, &rest));
    all_came();
    expect_said(2, "in caucus_group_shrink_alive, a list of 4: rank 0 has not proposed the group "
                   "(message PREP)");
    CHECK_MPI(caucus_group_free(&rest));
    CHECK_MPI(caucus_group_free(&group));
}

static void check_messages(void) {
    caucus_group group;
    int number = 0;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, everybody, RANKS, 9, &group));
    for (int tag = 7; tag <= 8; tag++) {
        all_but(3);
        if (world_rank() == 0)
            CHECK_MPI(caucus_group_recv(&number, 1, MPI_INT, tag == 7 ? 3 : MPI_ANY_SOURCE, tag,
                                        group, MPI_STATUS_IGNORE));
        if (world_rank() == 3)
            CHECK_MPI(caucus_group_send(&number, 1, MPI_INT, 0, tag, group));
        all_came();
        expect_said(0, tag == 7
                           ? "in caucus_group_recv: rank 3 has not sent the message; its tag is 7"
                           : "in caucus_group_recv: no member has sent the message; its tag is 8");
    }
    CHECK_MPI(caucus_group_free(&group));
}

static bool worked;

/* Of three workers one is at work, and asks the others. */
static int work(void *context, caucus_pool pool, caucus_group group, const void *task) {
    (void)context, (void)pool, (void)group, (void)task;
    worked = true;
    ask_others();
    return 0;
}

static void check_pool(void) {
    caucus_pool pool;
    caucus_pool_options options = {.body = work};
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    if (world_rank() == 0)
        CHECK_MPI(caucus_pool_submit(pool, 1, NULL));
    all_but(MPI_PROC_NULL);
    CHECK_MPI(caucus_pool_run(pool));
    all_came();
    expect_said(0, "has not come back for a task (message READY); 2 of 3 workers are "
                   "idle, 0 tasks wait for workers");
    if (!worked)
        expect_said(world_rank(), world_rank() ? "in a pool: rank 0 has no task for this rank yet"
                                               : "2 of 3 workers are idle");
    all_but(2);
    CHECK_MPI(caucus_pool_close(&pool));
    all_came();
    expect_said(0, "in the close of a pool or a balance: rank 2 has not closed it (message SUM)");
}

static void check_balance(void) {
    caucus_balance balance;
    int news;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, RANKS, &balance));
    all_but(0);
    CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    all_came();
    expect_said(1, "in a poll of a balance: rank 0 has not polled, nor those it waits for (message "
                   "SAME, IDLE or GROWN)");
    CHECK_MPI(caucus_balance_close(&balance));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    CHECK(world_size() == RANKS, "for %d ranks", RANKS);
    find_processes();
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    if (strcmp(what, "lists") == 0) {
        check_lists();
        check_communicators();
        check_between();
    } else if (strcmp(what, "joining") == 0) {
        check_joining();
    } else {
        check_alive();
        check_messages();
        check_pool();
        check_balance();
    }
    MPI_Finalize();
    return 0;
}
