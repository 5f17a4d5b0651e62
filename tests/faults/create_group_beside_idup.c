/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group on one communicator and MPI_Comm_idup on another one, begun in different
 * orders, hang: the create_group waits until the idup has its context, the idup for a rank that is
 * in create_group. MPI_Comm_idup is nonblocking, so both orders are correct.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

static MPI_Comm made, copy, other;
static MPI_Request request;

static void create(void) {
    MPI_Group group;
    MPI_Comm_group(other, &group);
    MPI_Comm_create_group(other, group, 5, &made);
    MPI_Group_free(&group);
}

static void duplicate(void) {
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    for (int i = 0, flag; i < 1000; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    tries();
    if (rank == 0) {
        duplicate();
        create();
    } else {
        create();
        duplicate();
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&other);
    return verdict(false);
}
