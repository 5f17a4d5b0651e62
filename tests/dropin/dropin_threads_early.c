/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of rank 0 has gone into MPI while no collective was active, and waits for what rank 1
 * does once the others have completed one. Another thread starts that, and waits for the first
 * without calling MPI. Natively the first thread moves MPI's own collectives on.
 * run: ranks=4,5 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 preload env=CAUCUS_NODES=2x2
 * run: ranks=4 preload args=nonblocking env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_ENABLE=nonblocking */
#include "persistent.h"

#if HAS_PERSISTENT
#include <pthread.h>
#include <stdint.h>

enum { TAG = 5, TURNS = 3 };

static int rank, size, nonblocking, in, sum;
static MPI_Request request;

static void receive(void) {
    MPI_Recv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_message(void) {
    MPI_Request message;
    MPI_Irecv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, &message);
    MPI_Wait(&message, MPI_STATUS_IGNORE);
}

static void wait_for_messages(void) {
    MPI_Request message[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Irecv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, &message[1]);
    MPI_Waitall(2, message, MPI_STATUSES_IGNORE);
}

static void probe(void) {
    MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    receive();
}

static void exchange(void) {
    MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, TAG, NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void (*const ways[])(void) = {receive, wait_for_message, wait_for_messages, probe, exchange};
enum { WAYS = sizeof ways / sizeof *ways };

static void *go_in(void *way) {
    (*(void (*const *)(void))way)();
    return NULL;
}

static void start(int turn) {
    in = rank + turn;
    sum = -1;
    if (nonblocking)
        MPI_Iallreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    else
        MPI_Start(&request);
}

static void finish(int turn) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == size * turn + size * (size - 1) / 2, "%d", sum);
}

/* Others come late, so that what rank 0 does at the start is not all that it has to do. */
static void try_it(void (*const *way)(void), int turn) {
    pthread_t thread;
    if (rank == 0) {
        CHECK(!pthread_create(&thread, NULL, go_in, (void *)(uintptr_t)way), "no thread");
        usleep(5000);
        start(turn);
        CHECK(!pthread_join(thread, NULL), "no end");
        finish(turn);
        return;
    }
    usleep(20000);
    start(turn);
    finish(turn);
    if (rank > 1)
        MPI_Send(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    for (int other = 2; rank == 1 && other < size; other++)
        MPI_Recv(NULL, 0, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD);
}

static int check_report(void) {
    char words[96], *report = read_report();
    snprintf(words, sizeof words, "\"MPI_%s\": {\"taken\": %d, \"passed\": 0,",
             nonblocking ? "Iallreduce" : "Allreduce_init",
             size * (nonblocking ? WAYS * TURNS : 1));
    int failed = expect_in_report(report, words);
    free(report);
    return failed;
}

int main(int argc, char **argv) {
    int provided;
    nonblocking = argc > 1;
    /* In several steps. */
    setenv("CAUCUS_ALGORITHM", "allreduce:recursive_doubling", 1);
    setenv("CAUCUS_REPORT", "threads-early.json", 1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    rank = world_rank();
    size = world_size();
    if (!nonblocking)
        MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int way = 0; way < WAYS; way++)
        for (int turn = 0; turn < TURNS; turn++)
            try_it(&ways[way], turn);
    if (!nonblocking)
        MPI_Request_free(&request);
    MPI_Finalize();
    return rank == 0 ? check_report() : 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
