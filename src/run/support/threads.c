/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/threads.h"

#include <mpi.h>

bool caucus_threads_may(void) {
    int initialized = 0, level = MPI_THREAD_MULTIPLE;
    PMPI_Initialized(&initialized);
    return !initialized || PMPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
}
