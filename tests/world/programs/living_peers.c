/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step of the small collectives by messages that setting up a group takes. Whoever
 * is told that one went well has what the others gave, though those who failed overwrite theirs at
 * once; who is told that somebody is dead, by his place among them, is told right. */
#include "world_calls.h"

#include "base/status.h"
#include "run/peers/peers.h"

#include <string.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 12, NUMBERS = 5, TAG = 7 };

static int rank_of[MOST];

static int given(int round, int rank, int i) {
    return 1000 * round + 10 * rank + i;
}

/* Other failures are MPI's words. */
static void check_words(const struct caucus_peers *peers, int status) {
    int place, end = 0;
    if (!status)
        return;
    sscanf(caucus_error_text(), "rank %d, which takes part, is dead%n", &place, &end);
    CHECK(end == 0 || (place >= 0 && place < peers->size && world_is_dead(peers->rank_of[place])),
          "%s", caucus_error_text());
}

static void check_bcast(const struct caucus_peers *peers, int round) {
    static int numbers[NUMBERS];
    int root = round % peers->size;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = peers->rank == root ? given(round, root, i) : -1;
    int status = caucus_peers_bcast(peers, numbers, NUMBERS, MPI_INT, root);
    check_words(peers, status);
    for (int i = 0; i < NUMBERS && !status; i++)
        CHECK(numbers[i] == given(round, root, i), "bcast %d: %d", round, numbers[i]);
    memset(numbers, 0xff, sizeof numbers);
}

static void check_allgather(const struct caucus_peers *peers, int round) {
    static int own[NUMBERS], all[NUMBERS * MOST];
    for (int i = 0; i < NUMBERS; i++)
        own[i] = given(round, peers->rank, i);
    int status = caucus_peers_allgather(peers, own, NUMBERS, MPI_INT, all);
    check_words(peers, status);
    for (int rank = 0; rank < peers->size && !status; rank++)
        for (int i = 0; i < NUMBERS; i++)
            CHECK(all[rank * NUMBERS + i] == given(round, rank, i), "allgather %d: %d", round,
                  all[rank * NUMBERS + i]);
    memset(own, 0xff, sizeof own);
    memset(all, 0xff, sizeof all);
}

static void check_alltoall(const struct caucus_peers *peers, int round) {
    static int own[MOST], all[MOST];
    for (int rank = 0; rank < peers->size; rank++)
        own[rank] = given(round, peers->rank, rank);
    int status = caucus_peers_alltoall(peers, own, 1, MPI_INT, all);
    check_words(peers, status);
    for (int rank = 0; rank < peers->size && !status; rank++)
        CHECK(all[rank] == given(round, rank, peers->rank), "alltoall %d: %d", round, all[rank]);
    memset(own, 0xff, sizeof own);
    memset(all, 0xff, sizeof all);
}

/* Their order is not that of the communicator. Each round has tags of its own: what was sent for
 * one that failed is never taken. */
int main(int argc, char **argv) {
    world_shield(true);
    MPI_Init(&argc, &argv);
    int *stages = world_board(MOST * sizeof *stages);
    return_errors(MPI_COMM_WORLD);
    for (int i = 0; i < world_size(); i++)
        rank_of[i] = world_size() - 1 - i;
    world_shield(false);
    for (int round = 0; round < ROUNDS; round++) {
        const struct caucus_peers peers = {MPI_COMM_WORLD, rank_of[world_rank()], world_size(),
                                           rank_of, TAG + round};
        if (round % 3 == 0)
            check_bcast(&peers, round);
        else if (round % 3 == 1)
            check_allgather(&peers, round);
        else
            check_alltoall(&peers, round);
    }
    reach(stages, 1, poke_mpi); /* nobody who fails comes after the words */
    printf("what went well was right\n");
    fflush(stdout);
    _exit(0);
}
