/* SPDX-License-Identifier: BSD-3-Clause */
/* A planted fault: a flag in shared memory is up before the data that it stands for are there. */
#include <mpi.h>
#include <stdatomic.h>

struct board {
    _Atomic int flag;
    int data;
};

int main(int argc, char **argv) {
    MPI_Win window;
    MPI_Aint bytes;
    struct board *board;
    int rank, unit, early = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *board : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &board,
                            &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &board);
    if (rank == 0) {
        atomic_store(&board->flag, 1);
        *(volatile int *)&board->data = 1;
    } else {
        while (!atomic_load(&board->flag))
            continue;
        early = *(volatile int *)&board->data != 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Finalize();
    return early;
}
