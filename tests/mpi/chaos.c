/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_CHAOS permutes ranks at random: grids stay grids, the map agrees, seeds differ, and what
 * is not to be reordered is not.
 * run: ranks=1,2,5,8 env=CAUCUS_CHAOS=0
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
    }
    CHECK(newrank == rank, "the map gives %d, the communicator %d", newrank, rank);
    return rank;
}

int main(int argc, char **argv) {
    int moved = 0, changed = 0;
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
        try_grid(1, size > 1 ? size - 1 : 1);
    }
    MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(size == 1 || (moved && changed), "there is no chaos");
    MPI_Finalize();
    return 0;
}
