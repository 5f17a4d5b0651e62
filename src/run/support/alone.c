/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/alone.h"

#include "run/support/last.h"
#include "run/support/threads.h"

#include <pthread.h>

static MPI_Comm alone = MPI_COMM_NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What stays on it until later is to recognize it still. */
static void free_it(MPI_Comm comm, void *value) {
    MPI_Comm freed = alone;
    (void)comm, (void)value;
    PMPI_Comm_free(&freed);
}

static MPI_Comm make(void) {
    MPI_Comm made;
    if (PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &made) != MPI_SUCCESS)
        return MPI_COMM_NULL;
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    if (caucus_last_keep(MPI_COMM_WORLD, &alone, free_it))
        PMPI_Comm_free(&made);
    return made;
}

MPI_Comm caucus_alone(void) {
    if (caucus_threads_may())
        return MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    if (alone == MPI_COMM_NULL)
        alone = make();
    MPI_Comm found = alone;
    pthread_mutex_unlock(&lock);
    return found;
}

bool caucus_is_alone(MPI_Comm comm) {
    return comm != MPI_COMM_NULL && comm == alone;
}
