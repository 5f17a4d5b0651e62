/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_from_group in two threads at a time, with different string tags, hangs or
 * crashes, with MPI_THREAD_MULTIPLE.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * sometimes: Open MPI 5.0.11 */
#include "fault.h"

#include <pthread.h>

#ifdef MPI_SESSION_NULL
enum { THREADS = 2, TIMES = 30 };

static MPI_Group group;

static void *create_often(void *argument) {
    for (int i = 0; i < TIMES; i++) {
        char tag[40];
        MPI_Comm made;
        snprintf(tag, sizeof tag, "thread %d", *(int *)argument);
        MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
        MPI_Comm_free(&made);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, number[THREADS];
    pthread_t thread[THREADS];
    begin(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    tries();
    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        pthread_create(&thread[t], NULL, create_often, &number[t]);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    return verdict(false);
}
#else
int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    return verdict(false);
}
#endif
