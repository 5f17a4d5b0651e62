/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step of collectives of a group that takes them all, in another order. Those who
 * live come to an end: each has right results until it is told of a failure, and who is said to be
 * dead is. */
#include "world_calls.h"

#include <caucus/caucus.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 12, NUMBERS = 3 };

static int rank_of[MOST];

/* Other failures are MPI's words. */
static void check_words(void) {
    const char *at = caucus_error_text(), *end = strstr(at, ", which takes part, is dead");
    int place = -1;
    for (; end && (at = strstr(at, "rank ")) && at < end; at++)
        sscanf(at, "rank %d", &place);
    CHECK(!end || (place >= 0 && place < world_size() && world_is_dead(rank_of[place])), "%s",
          caucus_error_text());
}

static int sum_once(caucus_group group, int round) {
    int own[NUMBERS], sums[NUMBERS], size = world_size();
    for (int i = 0; i < NUMBERS; i++)
        own[i] = 100 * round + 10 * i + world_rank();
    int code = caucus_group_allreduce(own, sums, NUMBERS, MPI_INT, MPI_SUM, group);
    for (int i = 0; i < NUMBERS && code == MPI_SUCCESS; i++)
        CHECK(sums[i] == size * (100 * round + 10 * i) + size * (size - 1) / 2, "round %d: %d",
              round, sums[i]);
    if (code != MPI_SUCCESS)
        check_words();
    return code;
}

int main(int argc, char **argv) {
    caucus_group group;
    world_shield(true);
    MPI_Init(&argc, &argv);
    int *stages = world_board(MOST * sizeof *stages);
    return_errors(MPI_COMM_WORLD);
    for (int i = 0; i < world_size(); i++)
        rank_of[i] = world_size() - 1 - i;
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, rank_of, world_size(), 1, &group));
    CHECK_MPI(sum_once(group, 0)); /* its first use */
    world_shield(false);
    for (int round = 1, code = MPI_SUCCESS; round <= ROUNDS && code == MPI_SUCCESS; round++)
        code = sum_once(group, round);
    reach(stages, 1, poke_mpi); /* nobody who fails comes after the words */
    printf("what went well was right\n");
    fflush(stdout);
    _exit(0);
}
