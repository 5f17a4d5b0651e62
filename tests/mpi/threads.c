/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads make grids at a time, each on a communicator of its own, the first ones of the
 * process included.
 * run: ranks=1,2,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_CENTRAL=0 */
#include "skip.h"
#include "traffic.h"

#include <pthread.h>

enum { THREADS = 3, GRIDS = 4 };

static void *work(void *argument) {
    MPI_Comm comm = *(MPI_Comm *)argument, cart;
    int size, rank, bad;
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < GRIDS; i++) {
        int dims[] = {size, 1}, periods[] = {i % 2, 0}, room[8];
        bad = i == 2;
        dims[1] = bad ? -5 : 1;
        int code = caucus_cart_create(comm, 2, dims, periods, 1, &cart);
        CHECK((code != MPI_SUCCESS) == bad, "grid %d: code %d", i, code);
        CHECK(!bad || strstr(caucus_error_text(), "dims[1] is -5"), "%s", caucus_error_text());
        if (bad)
            continue;
        check_grid(comm, cart, 2, dims, periods, star(2, room));
        MPI_Comm_rank(cart, &rank);
        CHECK(rank >= 0 && rank < size, "rank %d", rank);
        MPI_Comm_free(&cart);
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
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        return_errors(comms[i]);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, &comms[i]), "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
