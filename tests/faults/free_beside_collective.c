/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator that is freed while nonblocking collectives on it are pending: MPI says that
 * pending operations complete normally.
 *
 * run: ranks=5 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11 */
#include "fault.h"

#include <stdlib.h>

enum { TIMES = 200, COUNT = 20000, MOST = 5 };

int main(int argc, char **argv) {
    int provided, wrong = 0, counts[MOST], places[MOST];
    int *in = calloc(COUNT, sizeof *in), *sum = calloc(COUNT, sizeof *sum);
    int *all = calloc((size_t)COUNT * MOST, sizeof *all);
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    for (int i = 0; i < MOST; i++) {
        counts[i] = COUNT - i;
        places[i] = COUNT * i;
    }
    for (int t = 0; t < TIMES; t++) {
        MPI_Comm comm;
        MPI_Request requests[2];
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        in[0] = rank;
        MPI_Iallreduce(in, sum, COUNT, MPI_INT, MPI_SUM, comm, &requests[0]);
        MPI_Iallgatherv(in, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm,
                        &requests[1]);
        MPI_Comm_free(&comm);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        wrong += sum[0] != size * (size - 1) / 2 || all[places[size - 1]] != size - 1;
    }
    return verdict(wrong > 0);
}
