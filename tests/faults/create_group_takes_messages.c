/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group sends messages of its own on the user's communicator with the user's tag:
 * a receive from MPI_ANY_SOURCE with MPI_ANY_TAG that is pending takes one, and the call hangs.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, data[16] = {0}, word = 1;
    MPI_Comm made;
    MPI_Group group;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Irecv(data, 16, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    tries();
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &made);
    MPI_Send(&word, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
    return verdict(data[0] != word);
}
