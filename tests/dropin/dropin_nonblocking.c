/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and blocking collectives, left to MPI or taken over, on communicators just made, with
 * many requests at once that are completed in another order on every rank; intercommunicators are
 * not MPI's.
 * run: ranks=1,2,3,5 preload env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking,blocking env=CAUCUS_REPORT=nb.json args=taken
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking
 * run: ranks=4 preload env=CAUCUS_REPORT=left.json args=passed
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking,blocking env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 */
#include "report.h"

enum { MANY = 200, TURNS = 5 };

static int rank, size;

static void many(MPI_Comm comm) {
    int in[MANY], out[MANY], done = 0;
    MPI_Request requests[MANY], barrier;
    for (int i = 0; i < MANY; i++) {
        in[i] = i + rank;
        if (i % 3 == 0)
            MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, MPI_MAX, comm, &requests[i]);
        else
            MPI_Iscan(&in[i], &out[i], 1, MPI_INT, MPI_SUM, comm, &requests[i]);
    }
    MPI_Ibarrier(comm, &barrier);
    for (int i = 0; i < MANY / 2; i++)
        MPI_Wait(&requests[(i * (rank + 2) + rank) % MANY], MPI_STATUS_IGNORE);
    while (!done)
        MPI_Testall(MANY, requests, &done, MPI_STATUSES_IGNORE);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    for (int i = 0; i < MANY; i++) {
        int sum = i % 3 == 0 ? i + size - 1 : (rank + 1) * i + rank * (rank + 1) / 2;
        CHECK(out[i] == sum && requests[i] == MPI_REQUEST_NULL, "%d: %d, not %d", i, out[i], sum);
    }
}

static void blocking(MPI_Comm comm, int turn) {
    int value = rank == turn % size ? turn : -1, all, blocks[16], own = rank + turn;
    MPI_Bcast(&value, 1, MPI_INT, turn % size, comm);
    CHECK(value == turn, "%d", value);
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, comm);
    CHECK(all == size * turn + size * (size - 1) / 2, "%d", all);
    MPI_Allgather(&own, 1, MPI_INT, blocks, 1, MPI_INT, comm);
    for (int r = 0; r < size; r++)
        CHECK(blocks[r] == r + turn, "%d", blocks[r]);
    MPI_Barrier(comm);
}

static void between_two_groups(void) {
    MPI_Comm half, inter;
    int value = rank, sum = -1;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 9, &inter);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_MIN, inter);
    CHECK(sum == (rank + 1) % 2, "%d", sum);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_MIN, inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == (rank + 1) % 2, "%d", sum);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static int check_report(const char *what) {
    char *report = read_report();
    int taken = strcmp(what, "taken") == 0, failed;
    failed = expect_in_report(report, taken ? "\"MPI_Ibarrier\": {\"taken\": 20, \"passed\": 0,"
                                            : "\"MPI_Ibarrier\": {\"taken\": 0, \"passed\": 20,") ||
             expect_in_report(report, taken ? "\"MPI_Allreduce\": {\"taken\": 24, \"passed\": 0,"
                                            : "\"MPI_Allreduce\": {\"taken\": 4, \"passed\": 20,");
    free(report);
    return failed;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        many(comm);
        blocking(comm, turn);
        MPI_Comm_free(&comm);
    }
    if (size > 1)
        between_two_groups();
    MPI_Finalize();
    return argc > 1 && rank == 0 ? check_report(argv[1]) : 0;
}
