/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step while those who live make a group of all, use it, and shrink it again and
 * again: whoever has a group has the same one as the others of that round, all who live have one,
 * and a collective that says it went well has everybody's part. */
#include "world_calls.h"

#include <caucus/caucus.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 4 };

struct board {
    int stage[MOST];
    int size[ROUNDS][MOST]; /* of the group that a rank has; 0: none yet */
    int members[ROUNDS][MOST][MOST];
};
static struct board *board;

static void poke(void) { /* calls that wait are what keeps Caucus going */
    caucus_group alone;
    int self = world_rank();
    CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, &self, 1, 0, &alone));
    CHECK_MPI(caucus_group_free(&alone));
}

static void note(int round, caucus_group group) {
    int me = world_rank();
    CHECK_MPI(caucus_group_members(group, board->members[round][me]));
    CHECK_MPI(caucus_group_size(group, &board->size[round][me]));
}

/* With those who had a group and died since, too. */
static void compare(int round) {
    int me = world_rank(), size = board->size[round][me];
    for (int i = 0; i < world_size(); i++) {
        int other = board->size[round][i];
        CHECK(other > 0 || world_is_dead(i), "round %d: rank %d has no group", round, i);
        CHECK(other == 0 ||
                  (other == size && memcmp(board->members[round][i], board->members[round][me],
                                           (size_t)size * sizeof(int)) == 0),
              "round %d: ranks %d and %d have different groups", round, me, i);
    }
}

/* Where a member dies it may fail; what a call that failed has given back is overwritten, and
 * nobody may hear of that. */
static void use(int round, caucus_group group) {
    static int own, sum;
    int all = 0;
    own = 1 << world_rank();
    int code = caucus_group_allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, group);
    for (int i = 0; i < board->size[round][world_rank()]; i++)
        all += 1 << board->members[round][world_rank()][i];
    CHECK(code != MPI_SUCCESS || sum == all, "round %d: the sum is %d, not %d", round, sum, all);
    own = 1 << 20;
}

static caucus_group make(int round, caucus_group before) {
    caucus_group group;
    int list[MOST];
    for (int i = 0; i < world_size(); i++)
        list[i] = i;
    int code = round == 0
                   ? caucus_group_create_alive(MPI_COMM_WORLD, list, world_size(), 20, &group)
                   : caucus_group_shrink_alive(before, 20, &group);
    CHECK(code == MPI_SUCCESS, "round %d: %s", round, caucus_error_text());
    return group;
}

int main(int argc, char **argv) {
    caucus_group group = CAUCUS_GROUP_NULL;
    world_shield(true);
    MPI_Init(&argc, &argv);
    board = world_board(sizeof *board);
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    world_shield(false);
    for (int round = 0; round < ROUNDS; round++) {
        group = make(round, group);
        note(round, group);
        use(round, group);
    }
    reach(board->stage, 1, poke);
    for (int round = 0; round < ROUNDS; round++)
        compare(round);
    reach(board->stage, 2, poke);
    printf("those who live have the same groups\n");
    fflush(stdout);
    _exit(0);
}
