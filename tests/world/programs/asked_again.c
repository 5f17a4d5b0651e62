/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks rank 1, which was taken in with the same tag before and does not look yet, again as
 * soon as it is refused: each answer brings the next question, and rank 1 must come to look. */
#include "check.h"

#include <caucus/caucus.h>

enum { TAG = 5, ROUNDS = 3 };

static caucus_group alone(int rank) {
    caucus_group own;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 1, &own));
    return own;
}

static void ask(int rank, int other) {
    caucus_group own = alone(rank), merged = CAUCUS_GROUP_NULL;
    while (merged == CAUCUS_GROUP_NULL)
        CHECK_MPI(caucus_group_ask(own, other, TAG, &merged, NULL));
    CHECK_MPI(caucus_group_free(&own));
    CHECK_MPI(caucus_group_free(&merged));
}

static void take(int rank) {
    caucus_group own = alone(rank), merged;
    int asker, count = 0;
    while (count == 0)
        CHECK_MPI(caucus_group_poll(own, TAG, 1, &asker, &count));
    CHECK_MPI(caucus_group_take(own, &asker, 1, TAG, &merged));
    CHECK_MPI(caucus_group_free(&own));
    CHECK_MPI(caucus_group_free(&merged));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int round = 0; round < 2 * ROUNDS; round++) {
        if (rank > 1)
            continue;
        if (rank == round % 2)
            take(rank);
        else
            ask(rank, 1 - rank);
    }
    MPI_Finalize();
    return 0;
}
