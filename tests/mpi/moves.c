/* SPDX-License-Identifier: BSD-3-Clause */
/* Where it is known what must happen: a line dealt out to nodes is put in order, half of it comes
 * to lie on few nodes, and the threshold is kept.
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 env=CAUCUS_NODES=cyclic:4
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=6 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_CART_CENTRAL=0 */
#include "traffic.h"

static caucus_cart_report_data make(int cells, int period) {
    int dims[] = {cells}, periods[] = {period}, room[2];
    MPI_Comm cart;
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart));
    caucus_cart_report_data report =
        check_grid(MPI_COMM_WORLD, cart, 1, dims, periods, star(1, room));
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    MPI_Bcast(&report, sizeof report, MPI_BYTE, 0, MPI_COMM_WORLD); /* rank 0 may be out of it */
    return report;
}

int main(int argc, char **argv) {
    int nodes = 0, size;
    MPI_Init(&argc, &argv);
    CHECK(sscanf(getenv("CAUCUS_NODES"), "cyclic:%d", &nodes) == 1, "run it so");
    size = world_size();

    caucus_cart_report_data line = make(size, 0);
    CHECK(line.given.off_node == 2 * (size - 1), "dealt out: %g", line.given.off_node);
    CHECK(line.placed.off_node == 2 * (nodes - 1), "in order: %g", line.placed.off_node);
    CHECK(line.nodes == nodes && line.bound == line.placed.off_node, "the bound is %g", line.bound);
    caucus_cart_report_data ring = make(size, 1);
    CHECK(ring.placed.off_node == 2 * nodes, "a ring: %g", ring.placed.off_node);

    setenv("CAUCUS_CART_THRESHOLD", "0.99", 1);
    line = make(size, 0);
    CHECK(strcmp(line.mapper, "given") == 0 && line.placed.off_node == line.given.off_node, "%s",
          line.mapper);
    unsetenv("CAUCUS_CART_THRESHOLD");

    /* Half the ranks: they fit on half the nodes, or on one. */
    caucus_cart_report_data half = make(size / nodes, 0);
    CHECK(half.placed.off_node == 0 || half.placed.off_node < half.given.off_node, "%g of %g",
          half.placed.off_node, half.given.off_node);
    MPI_Finalize();
    return 0;
}
