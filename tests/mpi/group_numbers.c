/* SPDX-License-Identifier: BSD-3-Clause */
/* A first member that has no number left for another group: an error on every member, whatever was
 * being made, and all goes on when one is free again. In a balance it just helps nobody.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=20 */
#include "expect_error.h"

#include "run/group/manager.h"

#include <caucus/caucus.h>

static int rank, size, list[64];

/* Whoever is first in a list of all. */
static void limit(bool limits) {
    struct caucus_group_manager *manager = caucus_attached(MPI_COMM_WORLD)->manager;
    if (rank == 0)
        manager->slots.limit = limits ? manager->slots.used : manager->room.slots_each;
}

static void expect_none_left(int code, int elsewhere) {
    if (rank == 0)
        expect(code, MPI_ERR_NO_MEM, "this rank is the root of");
    else
        expect(code, elsewhere, "has no number left");
}

static void check_groups(caucus_group all, caucus_group own) {
    const int firsts[2] = {0, 1};
    caucus_group made = CAUCUS_GROUP_NULL;
    caucus_request request;
    expect_none_left(caucus_group_create(MPI_COMM_WORLD, list, size, 1, &made), MPI_ERR_ARG);
    expect_none_left(caucus_group_create_unchecked(MPI_COMM_WORLD, list, size, 2, &made),
                     MPI_ERR_ARG);
    expect_none_left(caucus_group_create_within(all, list, size, 3, &made), MPI_ERR_ARG);
    CHECK_MPI(caucus_group_icreate(MPI_COMM_WORLD, list, size, 4, &made, &request));
    expect_none_left(caucus_wait(&request, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    if (rank < 2)
        expect_none_left(caucus_group_merge(own, firsts, 2, 5, &made), MPI_ERR_ARG);
    CHECK(made == CAUCUS_GROUP_NULL, "there is a group all the same");
}

static void check_lazy(void) {
    caucus_group late;
    CHECK_MPI(caucus_group_create_lazy(MPI_COMM_WORLD, list, size, &late));
    for (int again = 0; again < 2; again++)
        expect_none_left(caucus_group_barrier(late), MPI_ERR_NO_MEM);
    CHECK_MPI(caucus_group_free(&late));
}

/* Each member tells each other one that it has failed, which is kept for none that is over. */
static void check_held(void) {
    const struct caucus_group_manager *manager = caucus_attached(MPI_COMM_WORLD)->manager;
    int count = 0;
    for (int i = 0; i < 100; i++)
        check_lazy();
    MPI_Barrier(MPI_COMM_WORLD);
    check_lazy();
    for (const struct caucus_group_manager_held *at = manager->held; at; at = at->next)
        count++;
    CHECK(count < 20, "%d messages about groups that have failed are kept", count);
}

/* Those who ask hear of it, too. */
static void check_asking(caucus_group own) {
    caucus_group made = CAUCUS_GROUP_NULL;
    int asker, count = 0, code;
    if (rank > 1)
        return;
    while (rank == 0 && count == 0)
        CHECK_MPI(caucus_group_poll(own, 7, 1, &asker, &count));
    if (rank == 0)
        code = caucus_group_take(own, &asker, 1, 7, &made);
    else
        code = caucus_group_ask(own, 0, 7, &made, NULL);
    expect_none_left(code, MPI_ERR_ARG);
    CHECK(made == CAUCUS_GROUP_NULL, "there is a group all the same");
}

static void check_communicators(caucus_group all) {
    MPI_Comm made = MPI_COMM_NULL;
    expect_none_left(caucus_group_to_comm(all, &made), MPI_ERR_ARG);
    CHECK(made == MPI_COMM_NULL, "there is a communicator all the same");
}

/* Rank 0 has no work, and no number by which it could help others: all end nevertheless. */
static void check_balance(void) {
    caucus_balance balance;
    caucus_balance_counters counters;
    int news = CAUCUS_BALANCE_SAME;
    CHECK_MPI(caucus_balance_open(MPI_COMM_WORLD, 1, &balance));
    for (int left = rank == 0 ? 0 : 3; news != CAUCUS_BALANCE_OVER; left--)
        CHECK_MPI(caucus_balance_poll(balance, left > 0, &news));
    CHECK_MPI(caucus_balance_statistics(balance, &counters));
    CHECK(size > 2 || counters.regroupings == 0, "a group without a number");
    CHECK_MPI(caucus_balance_close(&balance));
}

/* Who has no memory to begin with lets the others know. */
static void expect_memory(int who, int code) {
    char words[64];
    snprintf(words, sizeof words, "rank %d of the parent", who);
    if (rank == who)
        expect(code, MPI_ERR_NO_MEM, "out of memory");
    else
        expect(code, MPI_ERR_ARG, words);
    CHECK(rank == who || strstr(caucus_error_text(), "no memory"), "%s", caucus_error_text());
}

/* In a table of this kind nothing can be counted, of groups made before neither. */
static void check_memory(caucus_group own, int who, int tag) {
    const int firsts[2] = {0, 1};
    struct caucus_group_manager *manager = caucus_attached(MPI_COMM_WORLD)->manager;
    struct caucus_table kept = manager->turns;
    caucus_group made = CAUCUS_GROUP_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == who)
        manager->turns = (struct caucus_table){.room = -1};
    expect_memory(who, caucus_group_create(MPI_COMM_WORLD, list, size, tag, &made));
    if (rank < 2 && who < 2)
        expect_memory(who, caucus_group_merge(own, firsts, 2, tag + 1, &made));
    CHECK(made == CAUCUS_GROUP_NULL, "there is a group all the same");
    if (rank == who)
        manager->turns = kept;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size, tag + 2, &made));
    CHECK_MPI(caucus_group_barrier(made));
    CHECK_MPI(caucus_group_free(&made));
}

int main(int argc, char **argv) {
    caucus_group all, own;
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    for (int i = 0; i < size; i++)
        list[i] = i;
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size, 0, &all));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 0, &own));
    CHECK_MPI(caucus_group_barrier(all));
    limit(true);
    check_groups(all, own);
    check_lazy();
    check_held();
    check_asking(own);
    check_communicators(all);
    check_balance();
    limit(false);
    for (int who = 0; who < size; who++)
        check_memory(own, who, 100 + 3 * who);
    CHECK_MPI(caucus_group_free(&own));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, size, 6, &own));
    CHECK_MPI(caucus_group_barrier(own));
    CHECK_MPI(caucus_group_free(&own));
    CHECK_MPI(caucus_group_free(&all));
    MPI_Finalize();
    return 0;
}
