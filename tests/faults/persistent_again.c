/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent scatter, gather or allgather that is started a second time moves nothing, or ends in
 * "Invalid communicator".
 *
 * run: ranks=2,3 mpi=mpich,openmpi,intel
 * seen: Intel MPI 2021.18 */
#include "fault.h"

enum { MOST = 3, STARTS = 2 };

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
/* Of the rank that sends it, the place where it is in the send buffer, and the start. */
static int word(int from, int place, int start) {
    return 100 * start + 10 * from + place;
}

static bool run(MPI_Request request, int *sent, const int *received, int words, bool scatters) {
    bool wrong = false;
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < size; i++)
            sent[i] = word(rank, i, start);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < words; i++)
            wrong = wrong || received[i] != (scatters ? word(0, rank, start) : word(i, 0, start));
    }
    MPI_Request_free(&request);
    return wrong;
}

int main(int argc, char **argv) {
    int provided, sent[MOST], received[MOST];
    bool wrong;
    MPI_Request request;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    MPI_Allgather_init(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    wrong = run(request, sent, received, size, false);
    MPI_Gather_init(sent, 1, MPI_INT, received, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &request);
    wrong = run(request, sent, received, rank == 0 ? size : 0, false) || wrong;
    MPI_Scatter_init(sent, 1, MPI_INT, received, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &request);
    wrong = run(request, sent, received, 1, true) || wrong;
    return verdict(wrong);
}
#else
int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    return verdict(false);
}
#endif
