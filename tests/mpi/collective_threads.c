/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads start and wait for their own requests over one communicator at a time, and make
 * blocking calls on communicators of their own.
 * run: ranks=1,2,3
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 */
#include "collective_case.h"
#include "skip.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 40 };

struct work {
    int number;
    caucus_request request;
    MPI_Comm comm;
    int in, out;
};

static void *work(void *argument) {
    struct work *w = argument;
    int size = world_size(), sum = size * (size - 1) / 2, flag;
    for (int round = 0; round < ROUNDS; round++) {
        w->in = world_rank() + round * w->number;
        CHECK_MPI(caucus_start(&w->request));
        if (round % 2) {
            CHECK_MPI(caucus_wait(&w->request, MPI_STATUS_IGNORE));
        } else {
            for (flag = 0; !flag;)
                CHECK_MPI(caucus_test(&w->request, &flag, MPI_STATUS_IGNORE));
        }
        CHECK(w->out == sum + size * round * w->number, "%d", w->out);
        int largest = -1;
        CHECK_MPI(caucus_allreduce(&w->in, &largest, 1, MPI_INT, MPI_MAX, w->comm));
        CHECK(largest == size - 1 + round * w->number, "%d", largest);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[THREADS];
    struct work works[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    for (int i = 0; i < THREADS; i++) {
        works[i].number = i + 1;
        MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
        CHECK_MPI(caucus_allreduce_init(&works[i].in, &works[i].out, 1, MPI_INT, MPI_SUM,
                                        MPI_COMM_WORLD, MPI_INFO_NULL, &works[i].request));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, &works[i]), "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        CHECK_MPI(caucus_request_free(&works[i].request));
        MPI_Comm_free(&works[i].comm);
    }
    MPI_Finalize();
    return 0;
}
