/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that start, test and wait for requests of both kinds at the same time, each on its own
 * communicator, while requests are made and freed.
 * run: ranks=1,2,4 preload
 * run: ranks=3 preload env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=3 preload env=CAUCUS_SHARED_MEMORY=0 */
#include "persistent.h"

#if HAS_PERSISTENT
#include <pthread.h>

enum { THREADS = 3, TURNS = 20, REQUESTS = 6 };

static int size, rank;

static void one_turn(MPI_Comm comm, MPI_Request *requests, int *in, int *out, int turn) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size, sent = turn, received = -1;
    MPI_Request all[REQUESTS + 2];
    for (int i = 0; i < REQUESTS; i++)
        in[i] = turn + i + rank;
    MPI_Irecv(&received, 1, MPI_INT, left, 0, comm, &all[REQUESTS]);
    MPI_Isend(&sent, 1, MPI_INT, right, 0, comm, &all[REQUESTS + 1]);
    memcpy(all, requests, REQUESTS * sizeof *requests);
    MPI_Startall(REQUESTS, all);
    if (turn % 3 == 0)
        MPI_Barrier(comm);
    if (turn % 2)
        MPI_Waitall(REQUESTS + 2, all, MPI_STATUSES_IGNORE);
    for (int index = 0; index != MPI_UNDEFINED;)
        MPI_Waitany(REQUESTS + 2, all, &index, MPI_STATUS_IGNORE);
    CHECK(received == turn, "%d", received);
    for (int i = 0; i < REQUESTS; i++)
        CHECK(out[i] == size * (turn + i) + size * (size - 1) / 2, "%d", out[i]);
}

static void *work(void *argument) {
    MPI_Comm comm = *(MPI_Comm *)argument;
    int in[REQUESTS], out[REQUESTS], value = 0, all = 0;
    MPI_Request requests[REQUESTS], once;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < REQUESTS; i++)
            MPI_Allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                               &requests[i]);
        for (int turn = 0; turn < TURNS; turn++)
            one_turn(comm, requests, in, out, turn);
        for (int i = 0; i < REQUESTS; i++)
            MPI_Request_free(&requests[i]);
        value = half + 1;
        MPI_Iallreduce(&value, &all, 1, MPI_INT, MPI_MAX, comm, &once);
        MPI_Wait(&once, MPI_STATUS_IGNORE);
        CHECK(all == value && once == MPI_REQUEST_NULL, "%d", all);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    size = world_size();
    rank = world_rank();
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, &comms[i]), "no thread");
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_join(threads[i], NULL), "no end");
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
