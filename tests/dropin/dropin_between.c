/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with two groups that knows nothing of Caucus: all forms on intercommunicators that were
 * made in every way, waits that mix them with messages, communicators freed while requests are
 * active, and blocking calls that others must not wait for.
 *
 * run: ranks=4 preload env=CAUCUS_REPORT=both.json args=taken
 * run: ranks=2 preload
 * run: ranks=5 preload
 * run: ranks=4 preload env=CAUCUS_REPORT=mpi.json env=CAUCUS_DISABLE=inter args=left mpi=mpich
 * run: ranks=4 preload env=CAUCUS_REPORT=mpi.json env=CAUCUS_DISABLE=inter args=left mpi=openmpi
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=5 preload args=multiple
 * run: ranks=4 preload env=CAUCUS_DISABLE=persistent mpi=mpich,openmpi,abi
 * run: ranks=4 preload env=CAUCUS_DISABLE=blocking
 * run: ranks=4 preload env=CAUCUS_DISABLE=nonblocking
 * run: ranks=4 mpi=mpich,openmpi */
#include "../mpi/skip.h"
#include "persistent.h"

#include <stdbool.h>

enum { MOST = 16, TURNS = 3, MANY = 40, BIG = 1 << 18 };

static int rank, size, side, place, own, others; /* place within the group */
static MPI_Comm group;

static int value_of(int of_side, int at, int turn) {
    return 1000 * turn + 100 * of_side + at;
}

static void check_blocks(const int *blocks, int turn) {
    for (int i = 0; i < others; i++)
        CHECK(blocks[i] == value_of(!side, i, turn), "block %d is %d", i, blocks[i]);
}

static void blocking(MPI_Comm inter, int turn) {
    int value = value_of(side, place, turn), blocks[MOST], sum = 0;
    int root = side == turn % 2 ? (place == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    MPI_Allgather(&value, 1, MPI_INT, blocks, 1, MPI_INT, inter);
    check_blocks(blocks, turn);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
    for (int i = 0; i < others; i++)
        sum -= value_of(!side, i, turn);
    CHECK(sum == 0, "the sum differs by %d", sum);
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    CHECK(root != 0 || value == value_of(!side, 0, turn), "%d", value);
    MPI_Barrier(inter);
}

/* Completed in another order on every rank, together with messages. */
static void nonblocking(MPI_Comm inter, int turn) {
    int value = value_of(side, place, turn), blocks[MANY][MOST], message = -1, sent = rank, index;
    int left = (rank + size - 1) % size, right = (rank + 1) % size, done = 0;
    MPI_Request requests[MANY + 2];
    for (int i = 0; i < MANY; i++)
        MPI_Iallgather(&value, 1, MPI_INT, blocks[i], 1, MPI_INT, inter, &requests[i]);
    MPI_Irecv(&message, 1, MPI_INT, left, turn, MPI_COMM_WORLD, &requests[MANY]);
    MPI_Isend(&sent, 1, MPI_INT, right, turn, MPI_COMM_WORLD, &requests[MANY + 1]);
    for (int i = 0; i < MANY / 2; i++)
        MPI_Wait(&requests[(i * (rank + 2) + rank) % MANY], MPI_STATUS_IGNORE);
    MPI_Waitany(MANY + 2, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index >= 0 && index < MANY + 2, "%d", index);
    while (!done)
        MPI_Testall(MANY + 2, requests, &done, MPI_STATUSES_IGNORE);
    CHECK(message == left, "%d", message);
    for (int i = 0; i < MANY; i++)
        check_blocks(blocks[i], turn);
}

#if HAS_PERSISTENT
static void persistent(MPI_Comm inter) {
    int value = 0, sums[2], blocks[MOST], message = -1;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request requests[4];
    MPI_Allgather_init(&value, 1, MPI_INT, blocks, 1, MPI_INT, inter, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(&value, &sums[0], 1, MPI_INT, MPI_MIN, inter, MPI_INFO_NULL, &requests[1]);
    MPI_Recv_init(&message, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&rank, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[3]);
    for (int turn = 0; turn < TURNS; turn++) {
        value = value_of(side, place, turn);
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        check_blocks(blocks, turn);
        CHECK(sums[0] == value_of(!side, 0, turn) && message == left, "%d", sums[0]);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}
#else
static void persistent(MPI_Comm inter) {
    (void)inter;
}
#endif

static void all_forms(MPI_Comm inter) {
    for (int turn = 0; turn < TURNS; turn++) {
        nonblocking(inter, turn);
        blocking(inter, turn);
    }
    persistent(inter);
}

/* The first ranks of both groups. */
static void among_first(MPI_Comm inter) {
    MPI_Group all, first;
    MPI_Comm comm;
    int zero = 0, value = rank, other = -1;
    MPI_Comm_group(inter, &all);
    MPI_Group_incl(all, 1, &zero, &first);
    MPI_Comm_create(inter, first, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Allgather(&value, 1, MPI_INT, &other, 1, MPI_INT, comm);
        CHECK(other >= 0 && other != rank, "%d", other);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&first);
    MPI_Group_free(&all);
}

static void in_every_way(MPI_Comm inter) {
    MPI_Comm made;
    MPI_Request request;
    all_forms(inter);
    MPI_Comm_dup(inter, &made);
    all_forms(made);
    MPI_Comm_free(&made);
    MPI_Comm_idup(inter, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    all_forms(made);
    MPI_Comm_free(&made);
    MPI_Comm_split(inter, 0, place, &made);
    all_forms(made);
    MPI_Comm_free(&made);
    among_first(inter);
    MPI_Intercomm_merge(inter, side, &made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
}

static void freed_while_active(MPI_Comm inter) {
    int value = value_of(side, place, 7), blocks[MOST];
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(inter, &copy);
    MPI_Iallgather(&value, 1, MPI_INT, blocks, 1, MPI_INT, copy, &request);
    MPI_Comm_free(&copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_blocks(blocks, 7);
}

/* Rank 0 blocks in MPI with a collective active that the others complete first. */
static void blocked(MPI_Comm inter) {
    static int in[BIG / 16], out[BIG / 16 * MOST];
    int elements = BIG / 16;
    MPI_Request request;
    in[0] = rank;
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Iallgather(in, elements, MPI_INT, out, elements, MPI_INT, inter, &request);
        if (rank > 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (turn == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        if (turn == 1 && rank < 2)
            MPI_Sendrecv_replace(&in[1], 1, MPI_INT, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
        if (turn == 2)
            MPI_Barrier(group);
        if (rank == 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Many of them, one after the other and at once: each has what it needs, and gives it back. */
static void many(void) {
    MPI_Comm inter[MANY];
    for (int i = 0; i < MANY; i++) {
        MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, side ? 0 : 1, i, &inter[i]);
        if (i % 2)
            blocking(inter[i], i);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&inter[i]);
}

/* Of MPI_Intercomm_create, MPI_Comm_dup twice and MPI_Comm_split on 4 ranks, and of MPI_Comm_create
 * on 2; MPI_Comm_idup's is not counted, as nobody waits where it is made. */
static int check_made(const char *report) {
    char words[128];
    int made = 4 * (4 + MANY) + 2;
    snprintf(words, sizeof words,
             "\"MPI_Intercomm_create\": {\"taken\": %d, \"passed\": 0, "
             "\"algorithms\": {\"union\": %d}",
             made, made);
    return expect_in_report(report, words);
}

static int check_report(const char *what) {
    char *report = read_report(), words[64];
    bool taken = strcmp(what, "taken") == 0;
    int calls = 4 * (4 * TURNS + MANY / 2); /* on 4 communicators, and on many */
    snprintf(words, sizeof words, "\"MPI_Bcast\": {\"taken\": %d, \"passed\": %d,",
             taken ? calls : 0, taken ? 0 : calls);
    int failed = expect_in_report(report, words);
    snprintf(words, sizeof words, "\"between_groups\": %d", calls);
    if (taken)
        failed = failed || expect_in_report(report, words) || check_made(report);
    else
        failed = failed || expect_in_report(report, "\"MPI_Intercomm_create\": {\"taken\": 0,") ||
                 expect_in_report(report, "\"CAUCUS_DISABLE=inter\": ");
    free(report);
    return failed;
}

int main(int argc, char **argv) {
    int provided, several = argc > 1 && strcmp(argv[1], "multiple") == 0;
    MPI_Comm inter;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (several && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    rank = world_rank();
    size = world_size();
    side = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &group);
    MPI_Comm_rank(group, &place);
    MPI_Comm_size(group, &own);
    others = size - own;
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, side ? 0 : 1, 3, &inter);
    in_every_way(inter);
    freed_while_active(inter);
    blocked(inter);
    many();
    MPI_Comm_free(&inter);
    MPI_Comm_free(&group);
    MPI_Finalize();
    bool told = argc > 1 && !several && rank == 0;
    return told ? check_report(argv[1]) : 0;
}
