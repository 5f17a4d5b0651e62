/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: rank 0 waits for a flag in shared memory without a call of MPI, and rank 1
 * raises it once rank 0 has taken its message, or has done its part of a barrier. */
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>

int main(int argc, char **argv) {
    MPI_Win window;
    MPI_Aint bytes;
    MPI_Request request;
    _Atomic int *flag;
    int rank, unit, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *flag : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag,
                            &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &flag);
    if (argc > 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    else if (rank == 0)
        MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Issend(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (rank == 0 && !atomic_load(flag))
        sched_yield();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        atomic_store(flag, 1);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
