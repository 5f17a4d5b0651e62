/* SPDX-License-Identifier: BSD-3-Clause */
/* A call with wrong arguments returns MPI_SUCCESS after the user's own error handler has been
 * called, instead of the error code.
 *
 * run: ranks=1 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

static int heard;

static void hear(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    heard = *code;
}

int main(int argc, char **argv) {
    int provided, bad[2] = {-3, 0};
    MPI_Errhandler handler;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    tries();
    int dims = MPI_Dims_create(1, 2, bad);
    bool shown = heard && dims == MPI_SUCCESS;
    heard = 0;
    int send = MPI_Send(bad, 1, MPI_INT, 5, 0, MPI_COMM_WORLD);
    if (heard && send == MPI_SUCCESS)
        shown = true;
    printf("MPI_Dims_create returned %d, MPI_Send %d\n", dims, send);
    fflush(stdout);
    return verdict(shown);
}
