/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread waits for, or tests, an MPI_Comm_idup, while another one makes a persistent collective
 * on the same communicator, which comes after that on all ranks; perhaps together with a message
 * that is sent after the collective, so that this must not wait for the thread.
 * run: ranks=1,2,4 preload */
#include "persistent.h"

#if HAS_PERSISTENT
#include <pthread.h>

enum { TURNS = 60, MANY = 2, MORE = MANY + 1 };

static MPI_Comm comm, copies[MANY];
static MPI_Request requests[MORE];
static int way;

static void test_all(void) {
    for (int flag = 0; !flag;)
        MPI_Testall(MORE, requests, &flag, MPI_STATUSES_IGNORE);
}

static void *complete(void *unused) {
    if (way % 3 == 0)
        MPI_Waitall(MORE, requests, MPI_STATUSES_IGNORE);
    else if (way % 3 == 1)
        test_all();
    for (int i = 0; i < MORE; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return unused;
}

static void use(int turn) {
    MPI_Request request;
    int value = world_rank() ? -1 : turn;
    MPI_Bcast_init(&value, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(value == turn, "%d instead of %d", value, turn);
}

int main(int argc, char **argv) {
    int provided, rank, size, left, right, received = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (way = 0; way < TURNS; way++) {
        for (int i = 0; i < MANY; i++)
            MPI_Comm_idup(comm, &copies[i], &requests[i]);
        MPI_Irecv(&received, 1, MPI_INT, right, way, MPI_COMM_WORLD, &requests[MANY]);
        CHECK(!pthread_create(&thread, NULL, complete, NULL), "no thread");
        use(way);
        MPI_Send(&way, 1, MPI_INT, left, way, MPI_COMM_WORLD);
        CHECK(!pthread_join(thread, NULL), "no end");
        CHECK(received == way, "%d instead of %d", received, way);
        for (int i = 0; i < MANY; i++)
            MPI_Comm_free(&copies[i]);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
