/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_CHAOS permutes ranks at random: grids stay grids, the map agrees, seeds differ, and what
 * is not to be reordered is not. In grids rank 0 stays where it is unless CAUCUS_CART_RANK0=never;
 * in graphs it moves like any other.
 * run: ranks=1,2,5,8 env=CAUCUS_CHAOS=0
 * run: ranks=5,8 env=CAUCUS_CHAOS=0 env=CAUCUS_CART_RANK0=never
 * run: ranks=8 env=CAUCUS_CHAOS=7 env=CAUCUS_CART_RANK0=0
 * run: ranks=8 env=CAUCUS_CHAOS=42 env=CAUCUS_NODES=cyclic:2
 * run: ranks=7 env=CAUCUS_CHAOS=-9 env=CAUCUS_NODES=3,3,1 env=CAUCUS_CART_CENTRAL=1 */
#include "traffic.h"

/* Returns this rank's place. */
static int try_grid(int rows, int columns) {
    int dims[] = {rows, columns}, periods[] = {0, 1}, room[8], newrank, rank = MPI_UNDEFINED;
    MPI_Comm cart;
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart));
    caucus_cart_report_data report =
        check_grid(MPI_COMM_WORLD, cart, 2, dims, periods, star(2, room));
    CHECK_MPI(caucus_cart_map(MPI_COMM_WORLD, 2, dims, periods, &newrank));
    if (cart != MPI_COMM_NULL) {
        CHECK(rows * columns == 1 || strcmp(report.mapper, "chaos") == 0, "%s", report.mapper);
        MPI_Comm_rank(cart, &rank);
        MPI_Comm_free(&cart);
        CHECK(rank || report.rank0_kept == (world_rank() == 0), "rank 0 is said to be elsewhere");
    }
    CHECK(newrank == rank, "the map gives %d, the communicator %d", newrank, rank);
    return rank;
}

/* A graph without edges; whether rank 0 moves. */
static int moves_in_graph(void) {
    MPI_Comm graph;
    int rank;
    CHECK_MPI(caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                                MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph));
    MPI_Comm_rank(graph, &rank);
    MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_WORLD);
    caucus_cart_report_data report;
    CHECK_MPI(caucus_graph_report(graph, &report));
    CHECK(report.rank0_kept == (rank == 0), "rank 0 is said to be elsewhere");
    MPI_Comm_free(&graph);
    return rank != 0;
}

int main(int argc, char **argv) {
    const char *setting = getenv("CAUCUS_CART_RANK0");
    int moved = 0, changed = 0, moved_in_graph = 0,
        rank0_may_move = setting && strcmp(setting, "never") == 0;
    MPI_Init(&argc, &argv);
    int size = world_size(), first = try_grid(size, 1);
    for (int seed = 1; seed <= 5; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        setenv("CAUCUS_CHAOS", text, 1);
        int place = try_grid(size, 1);
        CHECK(place == try_grid(size, 1), "the same seed gives another place");
        moved |= place != world_rank();
        changed |= place != first;
        moved_in_graph += moves_in_graph();
        try_grid(1, size > 1 ? size - 1 : 1);
    }
    CHECK((moved_in_graph > 0) == (size > 1), "rank 0 moved in %d graphs", moved_in_graph);
    int rank0_moved = moved;
    MPI_Bcast(&rank0_moved, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(rank0_moved == rank0_may_move, "rank 0 moved: %d", rank0_moved);
    MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(size <= 2 || (moved && changed), "there is no chaos"); /* rank 0 leaves no choice to 2 */
    MPI_Finalize();
    return 0;
}
