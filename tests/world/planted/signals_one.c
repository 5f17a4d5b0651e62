/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: two threads wait for one condition, and one of them alone is told. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool begun;

static void *wait_for_it(void *unused) {
    pthread_mutex_lock(&lock);
    while (!begun)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_for_it, NULL);
    pthread_mutex_lock(&lock);
    begun = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
