/* SPDX-License-Identifier: BSD-3-Clause */
/* The first grid or graph of a process while an MPI_Comm_idup is pending and so many communicators
 * are alive that MPICH 5.0.2 can make none of a single rank (tests/faults/single_beside_idup.c).
 * Natively all of it returns.
 *
 * run: ranks=2,3 preload
 * run: ranks=2,3 preload args=graph
 * run: ranks=2 preload args="grid threads" */
#include "../mpi/check.h"

#include <string.h>

enum { ALIVE = 80 };

static MPI_Comm alive[ALIVE];

static MPI_Comm make_grid(void) {
    int dims[] = {world_size()}, periods[] = {0};
    MPI_Comm made;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &made);
    return made;
}

static MPI_Comm make_graph(void) {
    int next = (world_rank() + 1) % world_size();
    int before = (world_rank() + world_size() - 1) % world_size(), weight = 1;
    MPI_Comm made;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight,
                                   MPI_INFO_NULL, 1, &made);
    return made;
}

int main(int argc, char **argv) {
    int graph = argc > 1 && !strcmp(argv[1], "graph"), level;
    MPI_Comm duplicate, made;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &alive[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    made = graph ? make_graph() : make_grid();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Comm_free(&duplicate);
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_free(&alive[i]);
    MPI_Finalize();
    return 0;
}
