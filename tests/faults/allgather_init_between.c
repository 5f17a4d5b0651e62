/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent allgather between two groups gives wrong elements.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: Intel MPI 2021.18 */
#include "fault.h"

enum { COUNT = 100, HALF = 2, ROUNDS = 3 };

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
int main(int argc, char **argv) {
    int provided, wrong = 0, sent[COUNT], received[HALF * COUNT];
    MPI_Comm half, between;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_split(MPI_COMM_WORLD, rank / HALF, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < HALF ? HALF : 0, 1, &between);
    tries();
    MPI_Allgather_init(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, between, MPI_INFO_NULL,
                       &request);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++)
            sent[i] = round * 10000 + rank * 1000 + i;
        memset(received, 0, sizeof received);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < HALF * COUNT; i++) {
            int from = (rank < HALF ? HALF : 0) + i / COUNT;
            wrong += received[i] != round * 10000 + from * 1000 + i % COUNT;
        }
    }
    MPI_Request_free(&request);
    return verdict(wrong > 0);
}
#else
int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    return verdict(false);
}
#endif
