/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids of every shape that the ranks allow, whole and smaller than the communicator.
 * run: ranks=1,2,3,4,5,7,8
 * run: ranks=8 env=CAUCUS_NODES=4x2
 * run: ranks=6,8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 env=CAUCUS_NODES=cyclic:4 env=CAUCUS_CART_THRESHOLD=0
 * run: ranks=8 env=CAUCUS_NODES=5,2,1
 * run: ranks=7 env=CAUCUS_NODES=ppn:3
 * run: ranks=7 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=8 env=CAUCUS_NODES=cyclic:4 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=8 env=CAUCUS_NODES=1,3,1,3 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=8 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_CART_MAPPER=slabs
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_MAPPER=nodecart
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_LEVELS=none
 * run: ranks=12 env=CAUCUS_NODES=cyclic:4 mpi=mpich
 * run: ranks=7 env=MPIR_CVAR_NUM_CLIQUES=3 env=UCX_TLS=posix,self mpi=mpich,abi */
#include "traffic.h"

static int tried;

static void check_map(MPI_Comm comm, MPI_Comm cart, int ndims, const int *dims,
                      const int *periods) {
    int newrank, rank = MPI_UNDEFINED;
    if (cart != MPI_COMM_NULL)
        MPI_Comm_rank(cart, &rank);
    CHECK_MPI(caucus_cart_map(comm, ndims, dims, periods, &newrank));
    CHECK(newrank == rank, "the map gives %d, the communicator %d", newrank, rank);
}

/* Every rank hears from the neighbours that MPI promises. */
static void check_neighbors(MPI_Comm cart, int ndims, const int *dims, const int *periods) {
    int room[2 * MOST_DIMS * MOST_DIMS], heard[2 * MOST_DIMS], rank;
    MPI_Comm_rank(cart, &rank);
    for (int k = 0; k < 2 * ndims; k++)
        heard[k] = -1;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, cart);
    struct offsets steps = star(ndims, room);
    for (int k = 0; k < steps.count; k++) {
        int expected = cell_at(ndims, dims, periods, rank, steps.offset + k * ndims);
        CHECK(heard[k] == expected, "neighbour %d is %d, not %d", k, heard[k], expected);
    }
}

static void check_lines(MPI_Comm cart, int ndims, const int *dims) {
    int remain[MOST_DIMS] = {0}, size;
    MPI_Comm line;
    remain[ndims - 1] = 1;
    MPI_Cart_sub(cart, remain, &line);
    MPI_Comm_size(line, &size);
    CHECK(size == dims[ndims - 1], "a line of %d", size);
    MPI_Comm_free(&line);
}

static void try_grid(MPI_Comm comm, int ndims, const int *dims, const int *periods) {
    int room[2 * MOST_DIMS * MOST_DIMS];
    MPI_Comm cart;
    CHECK_MPI(caucus_cart_create(comm, ndims, dims, periods, 1, &cart));
    check_grid(comm, cart, ndims, dims, periods, star(ndims, room));
    check_map(comm, cart, ndims, dims, periods);
    if (cart != MPI_COMM_NULL && ndims > 0) {
        check_neighbors(cart, ndims, dims, periods);
        check_lines(cart, ndims, dims);
    }
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    tried++;
}

/* With reorder 0 every rank keeps its place. */
static void try_in_order(MPI_Comm comm, const int *dims) {
    int periods[] = {0, 0}, rank, place;
    MPI_Comm cart;
    CHECK_MPI(caucus_cart_create(comm, 2, dims, periods, 0, &cart));
    MPI_Comm_rank(comm, &rank);
    CHECK((cart == MPI_COMM_NULL) == (rank >= dims[0] * dims[1]), "rank %d", rank);
    if (cart == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(cart, &place);
    CHECK(place == rank, "rank %d has place %d", rank, place);
    MPI_Comm_free(&cart);
}

/* All ways to write cells as a product of ndims factors, with a pattern of borders each. */
static void try_shapes(MPI_Comm comm, int cells, int axis, int ndims, int *dims) {
    if (axis == ndims - 1) {
        int periods[MOST_DIMS], pattern = tried % (1 << ndims);
        dims[axis] = cells;
        for (int i = 0; i < ndims; i++)
            periods[i] = pattern >> i & 1;
        try_grid(comm, ndims, dims, periods);
        return;
    }
    for (int factor = 1; factor <= cells; factor++) {
        if (cells % factor)
            continue;
        dims[axis] = factor;
        try_shapes(comm, cells / factor, axis + 1, ndims, dims);
    }
}

int main(int argc, char **argv) {
    int dims[MOST_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, all[MOST_DIMS] = {0}, size;
    MPI_Init(&argc, &argv);
    size = world_size();
    try_grid(MPI_COMM_WORLD, 0, dims, all);
    try_grid(MPI_COMM_WORLD, 10, dims, all);
    for (int cells = size; cells > 0 && cells > size - 4; cells--) {
        try_shapes(MPI_COMM_WORLD, cells, 0, 1, dims);
        try_shapes(MPI_COMM_WORLD, cells, 0, 2, dims);
        try_in_order(MPI_COMM_WORLD, dims);
    }
    try_shapes(MPI_COMM_WORLD, size, 0, 3, dims);
    MPI_Finalize();
    return 0;
}
