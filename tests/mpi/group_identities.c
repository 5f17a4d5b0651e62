/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of one group is not taken for what is said of another one: of two that live, however
 * alike their ranges are, nor of one that has its tags after it. And what is counted of groups that
 * others are made out of goes with them: argument, of so many.
 *
 * run: ranks=2,5 env=CAUCUS_TIMEOUT=20
 * run: ranks=5 mpi=mpich,openmpi env=CAUCUS_NODES=3,2 */
#include "check.h"

#include "run/group/manager.h"

#include <caucus/caucus.h>

#include <stdlib.h>

static int rank, size;

static struct caucus_attachment *parent(void) {
    return caucus_attached(MPI_COMM_WORLD);
}

/* A union and its members; this rank frees what it merges. */
static void check_union(caucus_group merged, const int *list, int n) {
    int members, found[8];
    CHECK(merged != CAUCUS_GROUP_NULL, "no union");
    CHECK_MPI(caucus_group_size(merged, &members));
    CHECK(members == n, "%d members, not %d", members, n);
    CHECK_MPI(caucus_group_members(merged, found));
    for (int i = 0; i < n; i++)
        CHECK(found[i] == list[i], "rank %d at %d, not %d", found[i], i, list[i]);
    CHECK_MPI(caucus_group_barrier(merged));
    CHECK_MPI(caucus_group_free(&merged));
}

static caucus_group make_range(int first, int last) {
    caucus_group made = CAUCUS_GROUP_NULL;
    CHECK_MPI(caucus_group_create_range(MPI_COMM_WORLD, first, last, 1, &made));
    return made;
}

static void let_go_on(int from, int to) {
    if (rank == from)
        MPI_Send(NULL, 0, MPI_INT, to, 0, MPI_COMM_WORLD);
    else if (rank == to)
        MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two groups that begin alike: rank 1 waits for what becomes of both when it is told of the first.
 */
static void check_merges(void) {
    static const int firsts[2][2] = {{0, 3}, {0, 4}}, unions[2][4] = {{0, 1, 2, 3}, {0, 1, 4}};
    caucus_group before = make_range(0, 2), part[2] = {make_range(0, 2), make_range(0, 1)};
    caucus_group alone = rank > 2 ? make_range(rank, rank) : CAUCUS_GROUP_NULL, merged[2];
    caucus_request request[2] = {CAUCUS_REQUEST_NULL, CAUCUS_REQUEST_NULL};
    for (int i = 0; i < 2; i++) {
        caucus_group own = rank == 3 + i ? alone : part[i];
        if (rank == 3 + i)
            let_go_on(1 - i, rank);
        if (own != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_imerge(own, firsts[i], 2, i + 1, &merged[i], &request[i]));
    }
    if (rank == 1)
        let_go_on(1, 3);
    for (int i = 0; i < 2; i++) {
        if (request[i] == CAUCUS_REQUEST_NULL)
            continue;
        CHECK_MPI(caucus_wait(&request[i], MPI_STATUS_IGNORE));
        if (rank == 0 && i == 0)
            let_go_on(0, 4);
        check_union(merged[i], unions[i], i == 0 ? 4 : 3);
    }
    caucus_group *all[] = {&before, &part[0], &part[1], &alone};
    for (int i = 0; i < 4; i++)
        if (*all[i] != CAUCUS_GROUP_NULL)
            CHECK_MPI(caucus_group_free(all[i]));
}

static int compare(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Every range that this rank is the first of, many times. Others do not make them. */
static void check_ranges(void) {
    enum { TURNS = 40, MOST = 4096 };
    static int64_t identity[MOST];
    int n = 0;
    for (int count = 1; count <= size; count++)
        for (int stride = -size; stride <= size; stride++) {
            int last = rank + (count - 1) * stride;
            if (stride == 0 || last < 0 || last >= size)
                continue;
            for (int turn = 0; turn < TURNS && n < MOST; turn++) {
                struct caucus_members members;
                struct caucus_light_group *group;
                CHECK_MPI(caucus_members_from_range(&members, size, rank, last, stride));
                CHECK_MPI(caucus_group_make(parent(), &members, -1, 0, CAUCUS_GROUP_LATER, &group));
                if (members.count == count && (count > 1 || stride == 1))
                    identity[n++] = caucus_group_identity(group);
                caucus_group_end(group);
            }
        }
    qsort(identity, (size_t)n, sizeof *identity, compare);
    for (int i = 1; i < n; i++)
        CHECK(identity[i] != identity[i - 1], "%lld twice", (long long)identity[i]);
}

/* Of groups of one member every 64th has the same slot, and so the same tags. */
static void check_asking(void) {
    enum { AGAIN = 64, ROUNDS = 2 * AGAIN + 1 };
    for (int round = 0; round < ROUNDS && rank < 2; round++) {
        caucus_group own, merged = CAUCUS_GROUP_NULL;
        int asker, count = 0;
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
        while (rank == 0 && round % AGAIN == 0 && count == 0)
            CHECK_MPI(caucus_group_poll(own, 5, 1, &asker, &count));
        if (rank == 0 && round % AGAIN == 0)
            CHECK_MPI(caucus_group_take(own, &asker, 1, 5, &merged));
        else if (rank == 1 && round % AGAIN == 0)
            CHECK_MPI(caucus_group_ask(own, 0, 5, &merged, NULL));
        if (round % AGAIN == 0)
            check_union(merged, (const int[]){0, 1}, 2);
        CHECK_MPI(caucus_group_free(&own));
    }
}

/* One after the other, of ranges and of lists. */
static void make_out_of_groups(int rounds) {
    for (int round = 0; round < rounds; round++) {
        caucus_group group, within;
        MPI_Comm made;
        if (round % 2 == 0)
            CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &group));
        else
            CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, (const int[]){1, 0}, 2, 6, &group));
        if (round % 2 == 0 || rank < 2) {
            CHECK_MPI(caucus_group_to_comm(group, &made));
            MPI_Comm_free(&made);
            CHECK_MPI(caucus_group_create_within(group, (const int[]){0, 1}, 2, round, &within));
            if (within != CAUCUS_GROUP_NULL)
                CHECK_MPI(caucus_group_free(&within));
            CHECK_MPI(caucus_group_free(&group));
        }
    }
}

static void check_memory(int rounds) {
    struct caucus_group_manager *manager = parent()->manager;
    make_out_of_groups(16);
    int64_t room = manager->turns.room;
    make_out_of_groups(rounds);
    CHECK(manager->turns.room == room && manager->within.used == 0,
          "counts of %lld, not %lld, and of %lld groups that are gone",
          (long long)manager->turns.room, (long long)room, (long long)manager->within.used);
    CHECK(!manager->held, "a message of what is gone is held");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    if (size >= 5)
        check_merges();
    check_asking();
    check_memory(argc > 1 ? atoi(argv[1]) : 300);
    check_ranges();
    MPI_Finalize();
    return 0;
}
