/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are legal and would hang if a blocking call of MPI's stopped our requests, or the
 * other way round: rank 0 blocks in MPI with a collective active; the others complete that first,
 * which takes what rank 0 passes on, and only then do what rank 0 waits for. MPI alone passes too:
 * the report tells that the collective was ours. Where ranks have different thread levels it is
 * left to MPI.
 * run: ranks=4,7 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 args=multiple
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 args=mixed
 * run: ranks=4 preload env=CAUCUS_NODES=2x2
 * run: ranks=5 preload args=multiple
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_ENABLE=nonblocking args=nonblocking
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_DISABLE=blocking
 * run: ranks=4 preload args=hang env=CAUCUS_DISABLE=progress exit=error output="after 1 seconds"
 */
#include "launched.h"
#include "persistent.h"

#include <stdbool.h>
#include <unistd.h>

#if HAS_PERSISTENT
enum { BIG = 1 << 20 }; /* no MPI sends that before somebody receives it */
enum { TURNS = 3, TRIED = 19, ACTIVE = TURNS * TRIED + 1 };

static int rank, size, root, nonblocking, hang, levels_differ;
static long in, sum;
static char *big, *other;
static MPI_Request request, at_rest;
static MPI_Comm erring; /* with an error handler of the user's */

static void start(void) {
    in = rank + 1;
    sum = 0;
    if (nonblocking)
        MPI_Iallreduce(&in, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
    else
        MPI_Start(&request);
}

static void finish(void) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == (long)size * (size + 1) / 2, "%ld", sum);
}

/* Rank 0 blocks in one of these until rank 1 comes. */
static void send(void) {
    if (rank == 0)
        MPI_Send(big, BIG, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(other, BIG, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_synchronously(void) {
    if (rank == 0)
        MPI_Ssend(big, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(other, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_to_0(void) {
    if (rank == 1)
        MPI_Send(big, 5, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
}

static void receive(void) {
    MPI_Status status;
    int count;
    send_to_0();
    if (rank == 0) {
        MPI_Recv(other, BIG, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK(count == 5 && status.MPI_SOURCE == 1, "count %d", count);
    }
}

static void probe(void) {
    MPI_Status status;
    send_to_0();
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        CHECK(status.MPI_SOURCE == 1, "source %d", status.MPI_SOURCE);
        MPI_Recv(other, 5, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void probe_matched(void) {
    MPI_Message message;
    send_to_0();
    if (rank == 0) {
        MPI_Mprobe(1, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(other, 5, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    }
}

static void exchange(void) {
    MPI_Status status;
    int count;
    if (rank > 1)
        return;
    MPI_Sendrecv(big, BIG, MPI_CHAR, 1 - rank, 4, other, BIG, MPI_CHAR, 1 - rank, 4, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    CHECK(count == BIG, "count %d", count);
}

static void replace(void) {
    int pair[] = {rank, 10 + rank}, count;
    MPI_Status status;
    if (rank > 1)
        return;
    MPI_Sendrecv_replace(pair, 2, MPI_INT, 1 - rank, 5, 1 - rank, 5, MPI_COMM_WORLD, &status);
    CHECK(pair[0] == 1 - rank && pair[1] == 11 - rank, "%d, %d", pair[0], pair[1]);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 5 && count == 2, "tag %d, count %d",
          status.MPI_TAG, count);
}

#if MPI_VERSION >= 4
static void replace_large(void) {
    int pair[] = {rank, 10 + rank};
    MPI_Count count;
    MPI_Status status;
    if (rank > 1)
        return;
    MPI_Sendrecv_replace_c(pair, 2, MPI_INT, 1 - rank, 5, 1 - rank, 5, MPI_COMM_WORLD, &status);
    CHECK(pair[0] == 1 - rank && pair[1] == 11 - rank, "%d, %d", pair[0], pair[1]);
    MPI_Get_count_c(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 5 && count == 2, "tag %d, count %lld",
          status.MPI_TAG, (long long)count);
}
#else
static void replace_large(void) {}
#endif

static void wait_for_message(void) {
    MPI_Request message = MPI_REQUEST_NULL;
    send_to_0();
    if (rank == 0)
        MPI_Irecv(other, 5, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &message);
    MPI_Wait(&message, MPI_STATUS_IGNORE);
}

/* Rank 0 polls for a message beside another collective, which is at rest, or is complete while
 * MPI_Testall waits for the message. */
static void poll_beside(bool complete, void (*poll)(MPI_Request pair[2])) {
    MPI_Request pair[2] = {at_rest};
    if (complete)
        MPI_Start(&pair[0]);
    if (rank > 0) {
        MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
        send_to_0();
        return;
    }
    MPI_Irecv(other, 5, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &pair[1]);
    while (pair[1] != MPI_REQUEST_NULL)
        poll(pair);
}

static void test_any(MPI_Request pair[2]) {
    int index, flag;
    MPI_Testany(2, pair, &index, &flag, MPI_STATUS_IGNORE);
}

static void test_some(MPI_Request pair[2]) {
    int count, indices[2];
    MPI_Testsome(2, pair, &count, indices, MPI_STATUSES_IGNORE);
}

static void test_all(MPI_Request pair[2]) {
    int flag;
    MPI_Testall(2, pair, &flag, MPI_STATUSES_IGNORE);
}

static void poll_any(void) {
    poll_beside(false, test_any);
}

static void poll_some(void) {
    poll_beside(false, test_some);
}

/* Of its own persistent collectives MPICH 5.0.2's MPI_Testall says that they failed. */
static void poll_all(void) {
    if (!levels_differ)
        poll_beside(true, test_all);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void look_at_any(MPI_Request pair[2]) {
    int index, flag;
    MPI_Request_get_status_any(2, pair, &index, &flag, MPI_STATUS_IGNORE);
    if (flag && index != MPI_UNDEFINED)
        MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
}

static void look_any(void) {
    poll_beside(false, look_at_any);
}
#else
static void look_any(void) {}
#endif

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce_to_all(void) {
    int one = 1, all;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == size, "%d", all);
}

static void broadcast(void) {
    int value = rank == 1 ? 42 : 0;
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK(value == 42, "%d", value);
}

static void make_communicators(void) {
    MPI_Comm comm, part;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_split(comm, rank % 2, 0, &part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&comm);
}

static void make_another(void) {
    int value = rank;
    MPI_Request another;
    MPI_Bcast_init(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &another);
    MPI_Start(&another);
    MPI_Wait(&another, MPI_STATUS_IGNORE);
    MPI_Request_free(&another);
}

static int handled;

static void count_call(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    handled++;
}

/* MPICH 5.0.2 returns success once a handler of the user's was called: then nothing was begun that
 * could be waited for. */
static void err(void) {
    int before = handled, value = 0;
    if (rank > 0)
        return;
    MPI_Bcast(&value, 1, MPI_INT, size + 5, erring);
    MPI_Send(&value, 1, MPI_INT, size + 5, 0, erring);
    CHECK(handled == before + 2, "the handler was called %d times", handled - before);
}

/* To hang, rank 0 must start before anything of the others is there: what it finds it passes on.
 * A barrier would move it on, where that is not disabled; then the others are likely to be late. */
static void start_after_0(void) {
    if (hang && rank > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (!hang && rank > 0)
        usleep(5000);
    start();
    if (hang && rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1, for which rank 0 waits, goes on when all others have completed. */
static void finish_before_0(void) {
    finish();
    if (rank > 1)
        MPI_Send(NULL, 0, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
    for (int other_rank = 2; rank == 1 && other_rank < size; other_rank++)
        MPI_Recv(NULL, 0, MPI_CHAR, other_rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void try_it(void (*blocking)(void)) {
    for (int turn = 0; turn < TURNS; turn++) {
        start_after_0();
        if (rank > 0)
            finish_before_0();
        blocking();
        if (rank == 0)
            finish();
    }
}

/* Rank 1 receives what rank 0 sends while rank 0 waits for a collective. */
static void native_goes_on(void) {
    MPI_Request message = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_Isend(big, BIG, MPI_CHAR, 1, 6, MPI_COMM_WORLD, &message);
    if (rank == 1)
        MPI_Recv(other, BIG, MPI_CHAR, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    start();
    finish();
    MPI_Wait(&message, MPI_STATUS_IGNORE);
}

/* Without progress in MPI's calls these programs hang: CAUCUS_TIMEOUT tells. */
static void want_to_hang(void) {
    setenv("CAUCUS_SHARED_MEMORY", "0", 1);
    setenv("CAUCUS_TIMEOUT", "1", 1);
}

static int check_report(void) {
    char words[96], *report = read_report();
    int calls = nonblocking ? ACTIVE * size : size;
    snprintf(words, sizeof words, "\"MPI_%s\": {\"taken\": %d, \"passed\": %d,",
             nonblocking ? "Iallreduce" : "Allreduce_init", levels_differ ? 0 : calls,
             levels_differ ? calls : 0);
    int failed = expect_in_report(report, words);
    if (levels_differ)
        failed |=
            expect_in_report(report, "\"left_to_mpi\": \"some processes have MPI_THREAD_MULTIPLE");
    free(report);
    return failed;
}

static int wants_threads(const char *mode) {
    return strcmp(mode, "multiple") == 0 || (strcmp(mode, "mixed") == 0 && launched_rank() % 2);
}

static int find_whether_levels_differ(int several) {
    int with_threads;
    MPI_Allreduce(&several, &with_threads, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return with_threads > 0 && with_threads < size;
}

int main(int argc, char **argv) {
    void (*const all[TRIED])(void) = {send,
                                      send_synchronously,
                                      receive,
                                      probe,
                                      probe_matched,
                                      exchange,
                                      replace,
                                      replace_large,
                                      wait_for_message,
                                      barrier,
                                      reduce_to_all,
                                      broadcast,
                                      make_communicators,
                                      make_another,
                                      poll_any,
                                      poll_some,
                                      poll_all,
                                      look_any,
                                      err};
    int several = wants_threads(argc > 1 ? argv[1] : ""), provided;
    MPI_Errhandler handler;
    hang = argc > 1 && strcmp(argv[1], "hang") == 0;
    if (hang)
        want_to_hang();
    /* In several steps, so that what rank 0 has sent at the start is not all. */
    setenv("CAUCUS_ALGORITHM", "allreduce:recursive_doubling", 1);
    setenv("CAUCUS_REPORT", "progress.json", 1);
    nonblocking = argc > 1 && strcmp(argv[1], "nonblocking") == 0;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (several && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    rank = world_rank();
    size = world_size();
    levels_differ = find_whether_levels_differ(several);
    big = calloc(BIG, 1);
    other = calloc(BIG, 1);
    if (!nonblocking)
        MPI_Allreduce_init(&in, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &request);
    MPI_Bcast_init(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &at_rest);
    MPI_Comm_dup(MPI_COMM_WORLD, &erring);
    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(erring, handler);
    native_goes_on();
    for (int i = 0; i < TRIED; i++)
        try_it(all[i]);
    if (!nonblocking)
        MPI_Request_free(&request);
    MPI_Request_free(&at_rest);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&erring);
    free(big);
    free(other);
    MPI_Finalize();
    return rank == 0 ? check_report() : 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
