/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Iscatter between groups where receivers describe the same bytes by different types: some
 * never get them.
 *
 * run: ranks=6 mpi=mpich,openmpi
 * seen: MPICH 5.0.2 */
#include "fault.h"

enum { BYTES = 458 };

int main(int argc, char **argv) {
    static char from[5 * BYTES], to[BYTES];
    int provided;
    MPI_Comm group, between;
    MPI_Datatype two;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Type_contiguous(2, MPI_BYTE, &two);
    MPI_Type_commit(&two);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0, 7, &between);
    tries();
    if (rank == 0)
        MPI_Iscatter(from, BYTES, MPI_BYTE, to, 0, MPI_BYTE, MPI_ROOT, between, &request);
    else if (rank % 2)
        MPI_Iscatter(from, 0, MPI_BYTE, to, BYTES, MPI_BYTE, 0, between, &request);
    else
        MPI_Iscatter(from, 0, MPI_BYTE, to, BYTES / 2, two, 0, between, &request);
    return verdict(!completes(&request));
}
