/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of graphs, on one rank or all: every rank gets an error that names what is wrong,
 * and what follows works.
 * run: ranks=2,4 env=CAUCUS_TIMEOUT=60
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_TIMEOUT=60 env=CAUCUS_GRAPH_CENTRAL=0
 * run: ranks=3 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_TIMEOUT=60 */
#include "expect_error.h"

#include <caucus/caucus.h>

static MPI_Comm comm, made;
static int size, last; /* whether this is the last rank */

static int adjacent(int degree, const int *list, const int *in, const int *out) {
    return caucus_dist_graph_create_adjacent(comm, degree, list, in, degree, list, out,
                                             MPI_INFO_NULL, 1, &made);
}

static int edges(int n, const int *sources, const int *degrees, const int *targets,
                 const int *weights) {
    return caucus_dist_graph_create(comm, n, sources, degrees, targets, weights, MPI_INFO_NULL, 1,
                                    &made);
}

static void try_adjacent(void) {
    const int zero[] = {0}, wrong[] = {size}, negative[] = {-1}, one[] = {1};
    const int *none = MPI_UNWEIGHTED;
    expect(adjacent(1, last ? wrong : zero, none, none), MPI_ERR_RANK, "sources[0] is");
    expect(adjacent(1, last ? negative : zero, none, none), MPI_ERR_RANK, "sources[0] is -1");
    expect(adjacent(last ? -1 : 1, zero, none, none), MPI_ERR_ARG, "the length of sources is -1");
    expect(adjacent(last ? 1 << 30 : 1, zero, none, none), MPI_ERR_ARG, "1073741823 at most");
    expect(adjacent(1, last ? NULL : zero, none, none), MPI_ERR_ARG, "sources is a null pointer");
    expect(adjacent(1, zero, last ? negative : one, one), MPI_ERR_ARG, "sourceweights[0] is -1");
    expect(adjacent(1, zero, one, last ? none : one), MPI_ERR_ARG, "MPI_UNWEIGHTED alone");
    expect(adjacent(1, zero, last ? none : one, last ? none : one), MPI_ERR_ARG,
           "some ranks give weights");
    expect(adjacent(1, zero, last ? MPI_WEIGHTS_EMPTY : one, one), MPI_ERR_ARG,
           "MPI_WEIGHTS_EMPTY");
    expect(caucus_dist_graph_create_adjacent(comm, 0, NULL, none, 0, NULL, none, MPI_INFO_NULL,
                                             last, &made),
           MPI_ERR_ARG, "reorder");
    expect(caucus_dist_graph_create_adjacent(comm, 0, NULL, none, 0, NULL, none, MPI_INFO_NULL, 1,
                                             last ? NULL : &made),
           MPI_ERR_ARG, "null pointer");
}

static void try_edges(void) {
    const int zero[] = {0}, wrong[] = {size}, negative[] = {-1}, one[] = {1}, much[] = {1 << 30};
    const int *none = MPI_UNWEIGHTED;
    expect(edges(1, last ? wrong : zero, one, zero, none), MPI_ERR_RANK, "sources[0] is");
    expect(edges(1, zero, one, last ? wrong : zero, none), MPI_ERR_RANK, "destinations[0] is");
    expect(edges(1, zero, last ? negative : one, zero, none), MPI_ERR_ARG, "degrees[0] is -1");
    expect(edges(1, zero, last ? much : one, zero, none), MPI_ERR_ARG, "the sum of degrees");
    expect(edges(1, zero, one, zero, last ? negative : one), MPI_ERR_ARG, "weights[0] is -1");
    expect(edges(last ? -1 : 1, zero, one, zero, none), MPI_ERR_ARG, "length of sources is -1");
    expect(edges(1, zero, one, zero, last ? none : one), MPI_ERR_ARG, "some ranks give weights");
}

static void try_whole(void) {
    const int index[] = {1, 2}, falling[] = {2, 1}, to[] = {1, 0}, wrong[] = {1, 2};
    const int other[] = {0, 0}, many[] = {1 << 30};
    expect(caucus_graph_create(comm, size + 1, index, to, 1, &made), MPI_ERR_ARG, "nnodes is");
    expect(caucus_graph_create(comm, -1, index, to, 1, &made), MPI_ERR_ARG, "nnodes is -1");
    expect(caucus_graph_create(comm, 2, falling, to, 1, &made), MPI_ERR_ARG, "index[1] is 1");
    expect(caucus_graph_create(comm, 2, index, wrong, 1, &made), MPI_ERR_RANK, "edges[1] is 2");
    expect(caucus_graph_create(comm, 2, index, NULL, 1, &made), MPI_ERR_ARG, "edges is a null");
    /* As many as an int can count; the first one is wrong. */
    expect(caucus_graph_create(comm, 1, many, to, 1, &made), MPI_ERR_RANK, "edges[0] is 1");
    expect(caucus_graph_create(comm, 2, index, last ? other : to, 1, &made), MPI_ERR_ARG, "edges");
    expect(caucus_graph_create(comm, last ? 1 : 2, index, other, 1, &made), MPI_ERR_ARG, "nnodes");
}

static void try_report(void) {
    caucus_cart_report_data report;
    expect(caucus_graph_report(comm, &report), MPI_ERR_TOPOLOGY, "no topology of a graph");
    const int zero[] = {0};
    CHECK_MPI(adjacent(1, zero, MPI_UNWEIGHTED, MPI_UNWEIGHTED));
    expect(caucus_graph_report(made, last ? NULL : &report), MPI_ERR_ARG, "null pointer");
    CHECK_MPI(caucus_graph_report(made, &report));
    MPI_Comm_free(&made);
}

/* A list without edges says nothing of weights. */
static void try_silent_ranks(void) {
    int weight = 3, target = 0, flag, in, out;
    CHECK_MPI(edges(last, &target, &(const int){1}, &target, last ? &weight : MPI_UNWEIGHTED));
    CHECK_MPI(MPI_Dist_graph_neighbors_count(made, &in, &out, &flag));
    CHECK(flag, "the weights are lost");
    MPI_Comm_free(&made);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    size = world_size();
    last = world_rank() == size - 1;
    try_adjacent();
    try_edges();
    try_whole();
    try_report();
    try_silent_ranks();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
