/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: all ranks add to a number in shared memory by a load and a store, each atomic,
 * between which another may come in. */
#include <mpi.h>
#include <stdatomic.h>

enum { TIMES = 4 };

int main(int argc, char **argv) {
    MPI_Win window;
    MPI_Aint bytes;
    _Atomic int *number;
    int rank, size, unit;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *number : 0, sizeof *number, MPI_INFO_NULL,
                            MPI_COMM_WORLD, &number, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &number);
    if (rank == 0)
        atomic_init(number, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < TIMES; i++)
        atomic_store(number, atomic_load(number) + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    int lost = size * TIMES - atomic_load(number);
    MPI_Win_free(&window);
    MPI_Finalize();
    return lost != 0;
}
