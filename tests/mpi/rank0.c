/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 stays rank 0 of a grid as CAUCUS_CART_RANK0 says: always, never looked after, or for what
 * that costs, which the report tells: just that much lets it stay, a little less moves it.
 * Where nodes are equal it stays for nothing.
 * run: ranks=8 env=CAUCUS_NODES=1,3,1,3
 * run: ranks=8 env=CAUCUS_NODES=1,3,4 env=CAUCUS_CART_CENTRAL=0
 * run: ranks=8 env=CAUCUS_NODES=1,3,4 env=CAUCUS_CART_THRESHOLD=0.2
 * run: ranks=6,8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_CENTRAL=0
 * run: ranks=12 env=CAUCUS_NODES=1,2,2,3,4 mpi=mpich */
#include "traffic.h"

#include <stdbool.h>

static int moved, dear; /* grids in which rank 0 moves by nature, and in which staying costs */

/* Makes a grid with the setting; rank 0's report, for it may be out of the grid otherwise. */
static caucus_cart_report_data make(const char *setting, int ndims, const int *dims,
                                    const int *periods) {
    int room[2 * MOST_DIMS * MOST_DIMS], place = -1;
    MPI_Comm cart;
    setenv("CAUCUS_CART_RANK0", setting, 1);
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &cart));
    caucus_cart_report_data report =
        check_grid(MPI_COMM_WORLD, cart, ndims, dims, periods, star(ndims, room));
    if (cart != MPI_COMM_NULL) {
        MPI_Comm_rank(cart, &place);
        MPI_Comm_free(&cart);
    }
    int first = place == 0 ? world_rank() : world_size();
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Bcast(&report, sizeof report, MPI_BYTE, first, MPI_COMM_WORLD);
    CHECK(report.rank0_kept == (first == 0), "CAUCUS_CART_RANK0=%s: cell 0 has rank %d, not said",
          setting, first);
    return report;
}

static double rise(double value, double than) {
    return value <= than ? 0 : than > 0 ? value / than - 1 : INFINITY;
}

static void check_cost(const caucus_cart_report_data *kept, const caucus_cart_report_data *free) {
    double cost = fmax(rise(kept->placed.off_node, free->placed.off_node),
                       rise(kept->placed.off_node_worst, free->placed.off_node_worst));
    CHECK(kept->rank0_kept, "rank 0 was to stay");
    if (isfinite(cost))
        check_close(kept->rank0_cost, cost, "rank0_cost");
    else
        CHECK(isinf(kept->rank0_cost), "rank0_cost is %g", kept->rank0_cost);
}

static void try_grid(int ndims, const int *dims, const int *periods) {
    char setting[40];
    caucus_cart_report_data free = make("never", ndims, dims, periods);
    CHECK(free.rank0_cost == 0, "nobody asked, and it costs %g", free.rank0_cost);
    caucus_cart_report_data kept = make("always", ndims, dims, periods);
    check_cost(&kept, &free);
    moved += !free.rank0_kept;
    if (kept.rank0_cost == 0 || isinf(kept.rank0_cost))
        return;
    dear++;
    snprintf(setting, sizeof setting, "%.17g", kept.rank0_cost * (1 + 1e-9));
    caucus_cart_report_data allowed = make(setting, ndims, dims, periods);
    check_cost(&allowed, &free);
    snprintf(setting, sizeof setting, "%.17g", kept.rank0_cost * 0.99);
    caucus_cart_report_data refused = make(setting, ndims, dims, periods);
    CHECK(!refused.rank0_kept && refused.rank0_cost == kept.rank0_cost,
          "%g is too much, of which %s allows nothing", refused.rank0_cost, setting);
    check_close(refused.placed.off_node, free.placed.off_node, "off_node if refused");
    check_close(refused.placed.off_node_worst, free.placed.off_node_worst, "worst if refused");
}

/* All ways to write cells as a product of ndims factors, with every pattern of borders. */
static void try_shapes(int cells, int axis, int ndims, int *dims) {
    if (axis == ndims - 1) {
        dims[axis] = cells;
        for (int pattern = 0; pattern < 1 << ndims; pattern++) {
            int periods[MOST_DIMS];
            for (int i = 0; i < ndims; i++)
                periods[i] = pattern >> i & 1;
            try_grid(ndims, dims, periods);
        }
        return;
    }
    for (int factor = 1; factor <= cells; factor++)
        if (cells % factor == 0) {
            dims[axis] = factor;
            try_shapes(cells / factor, axis + 1, ndims, dims);
        }
}

int main(int argc, char **argv) {
    int dims[MOST_DIMS];
    MPI_Init(&argc, &argv);
    const char *nodes = getenv("CAUCUS_NODES");
    CHECK(nodes, "CAUCUS_NODES says which ranks share a node");
    bool equal = strstr(nodes, "cyclic");
    int least = equal ? world_size() : world_size() - 2;
    for (int cells = world_size(); cells >= least; cells--)
        try_shapes(cells, 0, 2, dims);
    CHECK(equal ? dear == 0 : moved > 0 && dear > 0, "rank 0 moved in %d grids, %d are dear", moved,
          dear);
    MPI_Finalize();
    return 0;
}
