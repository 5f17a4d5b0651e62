/* SPDX-License-Identifier: BSD-3-Clause */
/* The status of MPI_Isendrecv_replace is not that of the message that was received, and so is that
 * of MPI_Isendrecv. The data are right.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2, Intel MPI 2021.18 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, number, count = -1;
    MPI_Request request;
    MPI_Status status;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    number = rank;
    tries();
    MPI_Isendrecv_replace(&number, 1, MPI_INT, 1 - rank, 5, 1 - rank, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    return verdict(number == 1 - rank &&
                   (status.MPI_SOURCE != 1 - rank || status.MPI_TAG != 5 || count != 1));
}
