/* SPDX-License-Identifier: BSD-3-Clause */
/* Random graphs, with edges that come several times, lead to their own rank or one way only, ranks
 * without any, with weights and without: neighbours, weights, neighbourhood collectives and reports
 * against what one process works out for itself.
 * run: ranks=1,2,3,5,8
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 env=CAUCUS_NODES=5,2,1 env=CAUCUS_CART_THRESHOLD=0
 * run: ranks=7 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_METIS=none
 * run: ranks=8 env=CAUCUS_NODES=cyclic:4 env=CAUCUS_GRAPH_CENTRAL=5
 * run: ranks=3,5,8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_GRAPH_CENTRAL=0
 * run: ranks=8 env=CAUCUS_NODES=5,2,1 env=CAUCUS_GRAPH_CENTRAL=0 env=CAUCUS_CART_THRESHOLD=0
 * run: ranks=5 env=CAUCUS_NODES=1,1,1,1,1 env=CAUCUS_GRAPH_CENTRAL=0
 * run: ranks=3 env=CAUCUS_GRAPH_CENTRAL=0
 * run: ranks=6 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_CHAOS=3
 * run: ranks=6 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_CHAOS=3 env=CAUCUS_GRAPH_CENTRAL=0
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_LEVELS=none
 * run: ranks=7 env=MPIR_CVAR_NUM_CLIQUES=3 env=UCX_TLS=posix,self mpi=mpich,abi */
#include "graph_case.h"

static struct graph graph;
static int moved, rounds;

/* Whether the ranks of comm_old are those of made, in another order; returns this rank's. */
static int check_ranks(MPI_Comm comm_old, MPI_Comm made, int size) {
    int old, rank, made_size, order[MOST_RANKS];
    MPI_Comm_rank(comm_old, &old);
    MPI_Comm_rank(made, &rank);
    MPI_Comm_size(made, &made_size);
    CHECK(made_size == size, "%d ranks, not %d", made_size, size);
    MPI_Allgather(&old, 1, MPI_INT, order, 1, MPI_INT, made);
    for (int i = 0; i < size; i++)
        moved += order[i] != i;
    return rank;
}

static void check_report(MPI_Comm comm_old, MPI_Comm made) {
    int before[MOST_RANKS], after[MOST_RANKS];
    caucus_cart_report_data report;
    gather_nodes(comm_old, before);
    gather_nodes(made, after);
    struct sums given = sums_of(&graph, before), placed = sums_of(&graph, after);
    CHECK_MPI(caucus_graph_report(made, &report));
    check_close(report.given.off_node, given.off, "the traffic as given");
    check_close(report.given.off_node_worst, given.worst, "that of the worst node as given");
    check_close(report.placed.off_node, placed.off, "the traffic");
    check_close(report.placed.off_node_worst, placed.worst, "that of the worst node");
    check_close(report.placed.all, placed.all, "all of the traffic");
    int first; /* who has rank 0 now */
    MPI_Comm_rank(comm_old, &first);
    MPI_Bcast(&first, 1, MPI_INT, 0, made);
    CHECK(report.rank0_kept == (first == 0), "rank 0 is rank %d's now", first);
    CHECK(getenv("CAUCUS_CHAOS") || placed.off <= given.off, "%g, worse than %g", placed.off,
          given.off);
}

/* The edges of this rank's role are those that were given for it. */
static void check_neighbors(MPI_Comm made, int rank) {
    int in, out, weighted;
    int sources[MOST_EDGES], targets[MOST_EDGES], weights[2][MOST_EDGES];
    CHECK_MPI(MPI_Dist_graph_neighbors_count(made, &in, &out, &weighted));
    CHECK(weighted == graph.weighted, "weights: %d", weighted);
    int *w[2] = {weighted ? weights[0] : MPI_UNWEIGHTED, weighted ? weights[1] : MPI_UNWEIGHTED};
    CHECK_MPI(MPI_Dist_graph_neighbors(made, in, sources, w[0], out, targets, w[1]));
    int entered = 0, left = 0;
    for (int k = 0; k < graph.count; k++) {
        const struct edge *edge = &graph.edge[k];
        if (edge->to == rank) {
            CHECK(entered < in && sources[entered] == edge->from, "source %d", entered);
            CHECK(!weighted || w[0][entered] == edge->weight, "source %d", entered);
            entered++;
        }
        if (edge->from == rank) {
            CHECK(left < out && targets[left] == edge->to, "destination %d", left);
            CHECK(!weighted || w[1][left] == edge->weight, "destination %d", left);
            left++;
        }
    }
    CHECK(entered == in && left == out, "%d and %d edges, not %d and %d", in, out, entered, left);
}

/* What others send comes from where it should; of edges that come several times in their order. */
static void check_exchange(MPI_Comm made, int rank) {
    int given[MOST_EDGES], taken[MOST_EDGES], left = 0, entered = 0;
    for (int k = 0; k < graph.count; k++)
        if (graph.edge[k].from == rank)
            given[left++] = 1000 * rank + graph.edge[k].to;
    MPI_Neighbor_alltoall(given, 1, MPI_INT, taken, 1, MPI_INT, made);
    for (int k = 0; k < graph.count; k++)
        if (graph.edge[k].to == rank) {
            int expected = 1000 * graph.edge[k].from + rank;
            CHECK(taken[entered] == expected, "%d, not %d", taken[entered], expected);
            entered++;
        }
}

static void check_distributed(MPI_Comm comm, MPI_Comm made, int size) {
    int kind, rank = check_ranks(comm, made, size);
    MPI_Topo_test(made, &kind);
    CHECK(kind == MPI_DIST_GRAPH, "%d", kind);
    check_neighbors(made, rank);
    check_exchange(made, rank);
    check_report(comm, made);
    MPI_Comm_free(&made);
}

static void try_adjacent(MPI_Comm comm, int size, int reorder) {
    struct lists lists;
    int rank;
    MPI_Comm made;
    MPI_Comm_rank(comm, &rank);
    list_edges(&graph, rank, &lists);
    CHECK_MPI(caucus_dist_graph_create_adjacent(
        comm, lists.in, lists.sources, weights_of(&graph, lists.in, lists.source_weights),
        lists.out, lists.targets, weights_of(&graph, lists.out, lists.target_weights),
        MPI_INFO_NULL, reorder, &made));
    check_distributed(comm, made, size);
}

/* Rank r names a part of the edges, each by itself, those of all ranks together in their order. */
static void try_edges(MPI_Comm comm, int size) {
    int rank, count = 0, sources[MOST_EDGES], degrees[MOST_EDGES], targets[MOST_EDGES],
              weights[MOST_EDGES];
    MPI_Comm made;
    MPI_Comm_rank(comm, &rank);
    for (int k = graph.count * rank / size; k < graph.count * (rank + 1) / size; k++, count++) {
        sources[count] = graph.edge[k].from;
        degrees[count] = 1;
        targets[count] = graph.edge[k].to;
        weights[count] = graph.edge[k].weight;
    }
    CHECK_MPI(caucus_dist_graph_create(comm, count, sources, degrees, targets,
                                       weights_of(&graph, count, weights), MPI_INFO_NULL, 1,
                                       &made));
    check_distributed(comm, made, size);
}

/* What the report says of neighbours as given: of the graph's roles, and of no other ranks. */
static void check_given(const caucus_cart_traffic *given, int nodes, const int *node_of,
                        const int *index, const int *edges) {
    int off[MOST_RANKS] = {0}, on[MOST_RANKS] = {0};
    int sums[2] = {0}, least[2] = {MOST_EDGES, MOST_EDGES}, most[2] = {0};
    for (int from = 0; from < nodes; from++) {
        for (int k = from > 0 ? index[from - 1] : 0; k < index[from]; k++)
            if (edges[k] != from)
                ++*(node_of[edges[k]] == node_of[from] ? &on[from] : &off[from]);
        for (int i = 0; i < 2; i++) {
            int count = i ? off[from] : on[from];
            sums[i] += count;
            least[i] = count < least[i] ? count : least[i];
            most[i] = count > most[i] ? count : most[i];
        }
    }
    check_close(given->on_mean * nodes, sums[0], "neighbours on nodes");
    check_close(given->off_mean * nodes, sums[1], "neighbours on other nodes");
    CHECK(given->on_min == least[0] && given->off_min == least[1], "at least %d and %d",
          given->on_min, given->off_min);
    CHECK(given->on_max == most[0] && given->off_max == most[1], "at most %d and %d", given->on_max,
          given->off_max);
}

/* The first `nodes` roles of the graph, without weights. */
static void try_whole(MPI_Comm comm, int size, int nodes) {
    int index[MOST_RANKS], edges[MOST_EDGES], count = 0, sum = 0, rank, heard[MOST_EDGES];
    int before[MOST_RANKS];
    MPI_Comm made;
    gather_nodes(comm, before);
    for (int node = 0; node < nodes; node++) {
        for (int k = 0; k < graph.count; k++)
            if (graph.edge[k].from == node && graph.edge[k].to < nodes)
                edges[count++] = graph.edge[k].to;
        index[node] = count;
    }
    CHECK_MPI(caucus_graph_create(comm, nodes, index, edges, 1, &made));
    int takes_part = made != MPI_COMM_NULL;
    MPI_Allreduce(&takes_part, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == nodes, "%d of %d ranks take part, not %d", sum, size, nodes);
    if (!takes_part)
        return;
    MPI_Comm_rank(made, &rank);
    int first = rank > 0 ? index[rank - 1] : 0, neighbors = index[rank] - first;
    CHECK_MPI(MPI_Graph_neighbors_count(made, rank, &count));
    CHECK(count == neighbors, "%d neighbours, not %d", count, neighbors);
    CHECK_MPI(MPI_Graph_neighbors(made, rank, count, heard));
    CHECK(memcmp(heard, edges + first, (size_t)count * sizeof *edges) == 0, "other neighbours");
    caucus_cart_report_data report;
    CHECK_MPI(caucus_graph_report(made, &report));
    check_given(&report.given, nodes, before, index, edges);
    CHECK(getenv("CAUCUS_CHAOS") || report.placed.off_node <= report.given.off_node, "worse");
    MPI_Comm_free(&made);
}

int main(int argc, char **argv) {
    MPI_Comm backwards;
    MPI_Init(&argc, &argv);
    int size = world_size();
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - world_rank(), &backwards);
    for (rounds = 0; rounds < 12; rounds++) {
        MPI_Comm comm = rounds % 3 == 2 ? backwards : MPI_COMM_WORLD;
        random_graph(&graph, size, rounds);
        try_adjacent(comm, size, 1);
        try_edges(comm, size);
        try_whole(comm, size, 1 + rounds * (size - 1) / 11);
    }
    int before = moved;
    moved = 0;
    try_adjacent(MPI_COMM_WORLD, size, 0);
    CHECK(moved == 0, "reorder = 0 moved ranks");
    try_whole(MPI_COMM_WORLD, size, 0);
    const char *nodes = getenv("CAUCUS_NODES");
    if (nodes && strncmp(nodes, "cyclic", 6) == 0)
        CHECK(before > 0, "nobody moved");
    MPI_Comm_free(&backwards);
    MPI_Finalize();
    return 0;
}
