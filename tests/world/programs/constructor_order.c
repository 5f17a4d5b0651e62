/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent reduction of 1,000 doubles is active; rank 0 completes it and then makes a
 * communicator, the others make it and then complete: MPI allows it. The argument says what makes
 * the communicator: graph, adjacent, sub, or window. */
#include <mpi.h>
#include <string.h>

enum { COUNT = 1000 };
static int rank, size;
static MPI_Comm line;

static void make(const char *kind) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Win window;
    int next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1, index[64], edges[64];
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    if (strcmp(kind, "graph") == 0)
        MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &made);
    else if (strcmp(kind, "adjacent") == 0)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    else if (strcmp(kind, "sub") == 0)
        MPI_Cart_sub(line, &one, &made);
    else {
        MPI_Win_create(index, sizeof index, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_free(&window);
    }
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

int main(int argc, char **argv) {
    static double in[COUNT], out[COUNT];
    MPI_Request request;
    int no = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &line);
    for (int i = 0; i < COUNT; i++)
        in[i] = rank + i;
    MPI_Allreduce_init(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    MPI_Start(&request);
    if (rank != 0)
        make(argc > 1 ? argv[1] : "adjacent");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        make(argc > 1 ? argv[1] : "adjacent");
    MPI_Request_free(&request);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return out[1] != size * (size - 1) / 2.0 + size;
}
