/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction between groups, whose ranks beside the root give a count of 0, which is not
 * significant: the collective after it never ends.
 *
 * run: ranks=5 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided, in[4], sum[4] = {0}, one = 1, total = 0, root, count;
    MPI_Comm half, between;
    MPI_Request request;
    bool low;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    low = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 1, &between);
    tries();
    root = !low ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    count = root == MPI_PROC_NULL ? 0 : 4;
    for (int i = 0; i < 4; i++)
        in[i] = rank;
    MPI_Ireduce(in, sum, count, MPI_INT, MPI_SUM, root, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&one, &total, 1, MPI_INT, MPI_SUM, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return verdict(total != (low ? size - 2 : 2) || (rank == 0 && sum[0] != 9));
}
