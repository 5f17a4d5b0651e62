/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid that is smaller than its parent has the parent's group: MPI_Comm_group tells of more
 * processes than MPI_Comm_size.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, dims[] = {3}, periods[] = {0}, of_comm = 0, of_group = 0;
    MPI_Comm grid;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        MPI_Group group;
        MPI_Comm_size(grid, &of_comm);
        MPI_Comm_group(grid, &group);
        MPI_Group_size(group, &of_group);
        MPI_Group_free(&group);
        MPI_Comm_free(&grid);
    }
    if (of_comm != of_group)
        printf("the grid has %d processes, its group %d\n", of_comm, of_group);
    fflush(stdout);
    return verdict(of_comm != of_group);
}
