/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages within a node by one copy: broadcasts and exchanges in all forms, several nonblocking
 * ones at a time, on buffers that are changed as soon as a call is over. */
#include "check.h"

#include <caucus/caucus.h>

enum { COUNT = 6000, MOST = 4, BEGUN = 3 };

static int in[BEGUN][MOST * COUNT], out[BEGUN][MOST * COUNT];

static int value_of(int from, int to, int at) {
    return from + 10 * to + 100 * at;
}

static void fill(int which, int rank, int size) {
    for (int i = 0; i < size * COUNT; i++) {
        in[which][i] = value_of(rank, i / COUNT, i);
        out[which][i] = -1;
    }
}

static void check(int which, int rank, int size) {
    for (int i = 0; i < size * COUNT; i++)
        CHECK(out[which][i] == value_of(i / COUNT, rank, rank * COUNT + i % COUNT),
              "element %d is %d", i, out[which][i]);
}

static void exchange(int size, int rank) {
    caucus_request request[BEGUN];
    for (int i = 0; i < BEGUN; i++) {
        fill(i, rank, size);
        CHECK_MPI(caucus_ialltoall(in[i], COUNT, MPI_INT, out[i], COUNT, MPI_INT, MPI_COMM_WORLD,
                                   &request[i]));
    }
    for (int i = BEGUN - 1; i >= 0; i--) {
        CHECK_MPI(caucus_wait(&request[i], MPI_STATUS_IGNORE));
        check(i, rank, size);
        for (int at = 0; at < size * COUNT; at++)
            in[i][at] = -7;
    }
}

static void spread(int rank) {
    caucus_request request;
    CHECK_MPI(
        caucus_bcast_init(out[0], COUNT, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++)
            out[0][i] = rank == 0 ? i + round : -1;
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < COUNT; i++)
            CHECK(out[0][i] == i + round, "element %d is %d", i, out[0][i]);
    }
    CHECK_MPI(caucus_request_free(&request));
}

/* Two messages at a time to the next rank, and from the one before. */
static void exchange_twice(int size, int rank) {
    MPI_Comm ring;
    int from[2] = {(rank + size - 1) % size, (rank + size - 1) % size};
    int to[2] = {(rank + 1) % size, (rank + 1) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    CHECK_MPI(caucus_comm_attach(ring));
    for (int i = 0; i < 2 * COUNT; i++)
        in[0][i] = value_of(rank, 0, i);
    CHECK_MPI(caucus_neighbor_alltoall(in[0], COUNT, MPI_INT, out[0], COUNT, MPI_INT, ring));
    for (int i = 0; i < 2 * COUNT; i++)
        CHECK(out[0][i] == value_of(from[0], 0, i), "element %d is %d", i, out[0][i]);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv) {
    setenv("CAUCUS_ALGORITHM", "bcast:binomial,alltoall:linear,neighbor_alltoall:linear", 1);
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    exchange_twice(size, rank);
    for (int round = 0; round < 2; round++) {
        exchange(size, rank);
        spread(rank);
        fill(0, rank, size);
        CHECK_MPI(caucus_alltoall(in[0], COUNT, MPI_INT, out[0], COUNT, MPI_INT, MPI_COMM_WORLD));
        check(0, rank, size);
    }
    MPI_Finalize();
    return 0;
}
