/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Caucus: a ring of ranks that were dealt out to two nodes, as a
 * graph of each kind. Who has rank i then has the neighbours that were given for i. Never on two
 * nodes of MPICH's, whose own MPI_Dist_graph_create does not end there (docs/mpi-faults.md).
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_REPORT=graphs.json args=taken
 * run: ranks=8 preload env=CAUCUS_GRAPH_CENTRAL=0 env=CAUCUS_REPORT=large.json args="taken large"
 *      env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CHAOS=1 args=chaos
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_DISABLE=graph args=passed
 * run: ranks=8 preload env=CAUCUS_NODES=4x2 args=passed
 * run: ranks=8 args=passed env=CAUCUS_NODES=4x2
 * run: ranks=1 preload args=passed
 * run: ranks=5 preload args=passed env=CAUCUS_NODES=5x1 */
#include "report.h"

static int size, taken, chaos, large;

/* Ranks keep their order, or don't. */
static void check_order(MPI_Comm made, int reorder) {
    int rank, moved, any;
    MPI_Comm_rank(made, &rank);
    moved = rank != world_rank();
    MPI_Allreduce(&moved, &any, 1, MPI_INT, MPI_MAX, made);
    CHECK(any == (taken && reorder), "moved: %d", any);
}

/* Every rank hears from the one before and the one behind it. */
static void check_ring(MPI_Comm made, int reorder) {
    int rank, heard[2];
    check_order(made, reorder);
    MPI_Comm_rank(made, &rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, made);
    CHECK(heard[0] == (rank + size - 1) % size && heard[1] == (rank + 1) % size, "%d, %d", heard[0],
          heard[1]);
    MPI_Comm_free(&made);
}

static void check_weights(MPI_Comm made, int reorder) {
    int rank, in, out, weighted, sources[2], targets[2], weights[2], sent[2];
    MPI_Comm_rank(made, &rank);
    MPI_Dist_graph_neighbors_count(made, &in, &out, &weighted);
    CHECK(in == 2 && out == 2 && weighted, "%d, %d, %d", in, out, weighted);
    MPI_Dist_graph_neighbors(made, 2, sources, weights, 2, targets, sent);
    for (int i = 0; i < 2; i++)
        CHECK(weights[i] == 10 * rank + i && sent[i] == 20 * rank + i, "%d, %d", weights[i],
              sent[i]);
    check_ring(made, reorder);
}

static void try_all(int reorder) {
    int rank = world_rank(), index[64], edges[128];
    MPI_Comm made;
    int around[2] = {(rank + size - 1) % size, (rank + 1) % size};
    int weights[2] = {10 * rank, 10 * rank + 1}, sent[2] = {20 * rank, 20 * rank + 1};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, weights, 2, around, sent,
                                   MPI_INFO_NULL, reorder, &made);
    check_weights(made, reorder);
    for (int i = 0; i < size; i++) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made);
    check_ring(made, reorder);
    /* Each rank names the edges that enter it, which MPI may list in any order. */
    int *volatile none = MPI_UNWEIGHTED; /* which compilers take for an array of nothing */
    int one[2] = {1, 1}, here[2] = {rank, rank}, neighbors[2], heard[2], out[2];
    MPI_Dist_graph_create(MPI_COMM_WORLD, 2, around, one, here, none, MPI_INFO_NULL, reorder,
                          &made);
    check_order(made, reorder);
    MPI_Comm_rank(made, &rank);
    MPI_Dist_graph_neighbors(made, 2, neighbors, none, 2, out, none);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, made);
    for (int i = 0; i < 2; i++)
        CHECK(heard[i] == neighbors[i] &&
                  (heard[i] == (rank + 1) % size || heard[i] == (rank + size - 1) % size),
              "%d from %d", heard[i], neighbors[i]);
    MPI_Comm_free(&made);
}

/* The report's words of what was taken, by rank 0 or by leaders of nodes. */
static int check_counts(const char *report) {
    static const char *const calls[] = {"MPI_Graph_create", "MPI_Dist_graph_create",
                                        "MPI_Dist_graph_create_adjacent"};
    char words[200];
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words,
                 "\"%s\": {\"taken\": 8, \"passed\": 8, \"algorithms\": {\"%s\": 8}", calls[i],
                 large ? "distributed" : "exchanged");
        if (expect_in_report(report, words))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        taken = taken || strcmp(argv[i], "passed") != 0;
        large = large || strcmp(argv[i], "large") == 0;
        chaos = chaos || strcmp(argv[i], "chaos") == 0;
    }
    MPI_Init(&argc, &argv);
    int rank = world_rank(), failed = 0;
    size = world_size();
    try_all(1);
    try_all(0);
    MPI_Finalize();
    if (rank == 0 && taken && !chaos) {
        char *report = read_report();
        failed = check_counts(report) ||
                 expect_in_report(report,
                                  "\"call\": \"MPI_Graph_create\", \"ranks\": 8, \"nodes\": 2,") ||
                 expect_in_report(report, "\"off_node\": {\"before\": 16, \"after\": 4}, "
                                          "\"off_node_worst\": {\"before\": 8, \"after\": 2}");
        free(report);
    }
    return failed;
}
