/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize of those who live waits for ever after a death.
 *
 * run: ranks=4 deaths output="fault" mpi=openmpi
 * sometimes: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, word;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 3)
        raise(SIGKILL);
    MPI_Recv(&word, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    alarm(0);
    if (rank == 0)
        verdict_alone(false);
    return 0;
}
