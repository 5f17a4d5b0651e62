/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: two threads call MPI at the same time, which was told that they never do. */
#include <mpi.h>
#include <pthread.h>

static void *call(void *unused) {
    int found;
    for (int i = 0; i < 20; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    pthread_create(&thread, NULL, call, NULL);
    call(NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
