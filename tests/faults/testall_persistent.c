/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Testall on an active persistent collective returns MPI_ERR_IN_STATUS, with a status that has
 * no error, though the collective ended well.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2, Intel MPI 2021.18 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, in = 1, out = 0, all = 0, code = MPI_SUCCESS;
    MPI_Request request;
    MPI_Status status;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    tries();
    MPI_Start(&request);
    while (!all && code == MPI_SUCCESS)
        code = MPI_Testall(1, &request, &all, &status);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return verdict(code != MPI_SUCCESS);
}
