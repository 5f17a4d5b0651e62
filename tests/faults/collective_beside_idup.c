/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_idup does not end where some ranks wait for it before the next collective on the same
 * communicator, and others come to that collective first.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

enum { TIMES = 20 };

int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm parent, copy;
        MPI_Request duplicate, barrier;
        MPI_Comm_dup(MPI_COMM_WORLD, &parent);
        MPI_Comm_idup(parent, &copy, &duplicate);
        if (rank % 2 == 0)
            MPI_Wait(&duplicate, MPI_STATUS_IGNORE);
        MPI_Ibarrier(parent, &barrier);
        MPI_Wait(&barrier, MPI_STATUS_IGNORE);
        MPI_Wait(&duplicate, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&parent);
    }
    return verdict(false);
}
