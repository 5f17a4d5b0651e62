/* SPDX-License-Identifier: BSD-3-Clause */
/* An intercommunicator that is being duplicated by MPI_Comm_idup can't be duplicated once more,
 * neither by MPI_Comm_idup nor by MPI_Comm_dup: the calls never end.
 *
 * run: ranks=5 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

enum { COPIES = 4, TIMES = 10 };

int main(int argc, char **argv) {
    int provided, wrong = 0;
    MPI_Comm half, between;
    bool low;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    low = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 1, &between);
    tries();
    for (int t = 0; t < TIMES; t++) {
        MPI_Comm copy[COPIES];
        MPI_Request request[COPIES];
        for (int i = 0; i < COPIES; i++)
            MPI_Comm_idup(between, &copy[i], &request[i]);
        MPI_Waitall(COPIES, request, MPI_STATUSES_IGNORE);
        for (int i = 0; i < COPIES; i++) {
            int one = 1, sum = 0;
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy[i]);
            wrong += sum != (low ? size - 2 : 2);
            MPI_Comm_free(&copy[i]);
        }
    }
    return verdict(wrong > 0);
}
