/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Ibcast between two groups leaves the receivers' buffers as they were, where the root is not
 * the first rank of its group. It returns MPI_SUCCESS, and so does MPI_Wait.
 *
 * run: ranks=5 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2, Intel MPI 2021.18 */
#include "fault.h"

enum { FIRST = 2, ROOT = 1, COUNT = 17 };

int main(int argc, char **argv) {
    int provided, local, data[COUNT], wrong = 0;
    MPI_Comm part, between;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    int second = rank >= FIRST;
    MPI_Comm_split(MPI_COMM_WORLD, second, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, second ? 0 : FIRST, 3, &between);
    MPI_Comm_rank(between, &local);
    for (int i = 0; i < COUNT; i++)
        data[i] = second ? -1 : i;
    tries();
    int root = second ? ROOT : local == ROOT ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Ibcast(data, COUNT, MPI_INT, root, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        wrong += second && data[i] != i;
    MPI_Comm_free(&between);
    MPI_Comm_free(&part);
    return verdict(wrong > 0);
}
