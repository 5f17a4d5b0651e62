/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: a function that holds a lock calls another one that takes it. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void inner(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    pthread_mutex_lock(&lock);
    inner();
    pthread_mutex_unlock(&lock);
    MPI_Finalize();
    return 0;
}
