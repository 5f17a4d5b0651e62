/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks die at any step of sparse exchanges, which settle redistributions. Those who live come to
 * an end, and an exchange that all say went well has brought every message whole. */
#include "world_calls.h"

#include "run/attachment/attach.h"
#include "run/engine/sparse.h"
#include "run/peers/agree.h"

#include <caucus/caucus.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 6, NUMBERS = 3, TAG = 7 };

static int given(int round, int from, int to, int i) {
    return 10000 * round + 1000 * from + 10 * to + i;
}

/* To every other rank, this one included, whose number has the parity of the round's. */
static int32_t write_all(int round, int32_t to[], int64_t begin[], int data[]) {
    int32_t receivers = 0;
    begin[0] = 0;
    for (int rank = 0; rank < world_size(); rank++)
        if ((rank + round) % 2 == 0) {
            for (int i = 0; i < NUMBERS; i++)
                data[NUMBERS * receivers + i] = given(round, world_rank(), rank, i);
            to[receivers++] = rank;
            begin[receivers] = NUMBERS * receivers;
        }
    return receivers;
}

static void check(int round, const int *received, int64_t count) {
    bool expected = (world_rank() + round) % 2 == 0, seen[MOST] = {false};
    CHECK(count == (expected ? NUMBERS * world_size() : 0), "round %d: %lld numbers", round,
          (long long)count);
    for (int64_t at = 0; at < count; at += NUMBERS) {
        int from = received[at] % 10000 / 1000;
        CHECK(from < world_size() && !seen[from], "round %d: from rank %d", round, from);
        seen[from] = true;
        for (int i = 0; i < NUMBERS; i++)
            CHECK(received[at + i] == given(round, from, world_rank(), i), "round %d: %d", round,
                  received[at + i]);
    }
}

int main(int argc, char **argv) {
    world_shield(true);
    MPI_Init(&argc, &argv);
    int *stages = world_board(MOST * sizeof *stages);
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    const struct caucus_attachment *attachment = caucus_attached(MPI_COMM_WORLD);
    world_shield(false);
    for (int round = 0, status = 0; round < ROUNDS && !status; round++) {
        int32_t to[MOST];
        int64_t begin[MOST + 1], count = 0;
        int data[NUMBERS * MOST];
        void *received = NULL;
        int32_t receivers = write_all(round, to, begin, data);
        struct caucus_sparse_messages messages = {receivers, to, begin, data, sizeof(int)};
        status = caucus_sparse_exchange(attachment, TAG + round, &messages, &received, &count);
        memset(data, 0xff, sizeof data);
        status = caucus_agree(&attachment->peers, status, 0, NULL);
        if (!status)
            check(round, received, count);
        free(received);
    }
    reach(stages, 1, poke_mpi); /* nobody who fails comes after the words */
    printf("what went well was right\n");
    fflush(stdout);
    _exit(0);
}
