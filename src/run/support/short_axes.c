/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/short_axes.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool confuses;

/* On a periodic axis of one rank, which is its own neighbour on both sides. */
static void try_mpi_out(void) {
    int one[] = {1}, sent[] = {0, 1}, found[] = {0, 1};
    MPI_Comm grid;
    MPI_Request request;
    if (PMPI_Cart_create(MPI_COMM_SELF, 1, one, one, 0, &grid) != MPI_SUCCESS)
        return;
    if (PMPI_Ineighbor_alltoall(sent, 1, MPI_INT, found, 1, MPI_INT, grid, &request) == MPI_SUCCESS)
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    confuses = found[0] == 0;
    PMPI_Comm_free(&grid);
}

/* A program of sessions has no MPI_COMM_SELF. */
static bool mpi_confuses(void) {
    int initialized;
    PMPI_Initialized(&initialized);
    if (initialized)
        pthread_once(&once, try_mpi_out);
    return initialized && confuses;
}

uint64_t caucus_confused_axes(MPI_Comm comm) {
    int kind, axes, dims[CAUCUS_MOST_AXES], periods[CAUCUS_MOST_AXES], place[CAUCUS_MOST_AXES];
    uint64_t axes_found = 0;
    if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART)
        return 0;
    PMPI_Cartdim_get(comm, &axes);
    if (axes > CAUCUS_MOST_AXES)
        return 0;
    PMPI_Cart_get(comm, axes, dims, periods, place);
    for (int i = 0; i < axes; i++)
        if (periods[i] && dims[i] <= 2)
            axes_found |= UINT64_C(1) << i;
    return axes_found && mpi_confuses() ? axes_found : 0;
}
