/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes are right as they are, but ranks are dealt out to their packages: they trade places within
 * their nodes, and only there.
 * run: ranks=8
 * run: ranks=8 env=CAUCUS_CART_CENTRAL=0 */
#include "traffic.h"

#include <unistd.h>

static int node_size;

static void describe(const char *path) {
    FILE *file = fopen(path, "w");
    CHECK(file, "%s can't be written", path);
    for (int rank = 0; rank < world_size(); rank++)
        fprintf(file, "node%d package%d\n", rank / node_size, rank % 2);
    fclose(file);
}

static caucus_cart_report_data make(int *crossings) {
    int dims[] = {8}, periods[] = {0}, ranks[8], own = world_rank();
    MPI_Comm parent, cart;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    CHECK_MPI(caucus_cart_create(parent, 1, dims, periods, 1, &cart));
    caucus_cart_report_data report;
    CHECK_MPI(caucus_cart_report(cart, &report));
    MPI_Allgather(&own, 1, MPI_INT, ranks, 1, MPI_INT, cart);
    *crossings = 0;
    for (int cell = 1; cell < 8; cell++) {
        int a = ranks[cell - 1], b = ranks[cell];
        *crossings += a / node_size == b / node_size && a % 2 != b % 2;
    }
    MPI_Comm_free(&cart);
    MPI_Comm_free(&parent);
    return report;
}

static void expect(int each, const char *levels, const char *mapper, int wanted) {
    char path[64], setting[80];
    int crossings, nodes = 8 / each;
    node_size = each;
    snprintf(path, sizeof path, "within-%d.nodes", (int)getpid());
    if (world_rank() == 0) {
        describe(path);
        snprintf(setting, sizeof setting, "file:%s", path);
        setenv("CAUCUS_NODES", setting, 1);
    }
    setenv("CAUCUS_LEVELS", levels, 1);
    caucus_cart_report_data report = make(&crossings);
    if (world_rank() == 0)
        unlink(path);
    CHECK(strcmp(report.mapper, mapper) == 0, "%d a node, %s: %s", each, levels, report.mapper);
    CHECK(report.placed.off_node == report.given.off_node, "traffic between nodes changed");
    CHECK(report.placed.off_node == 2.0 * (nodes - 1), "%g between nodes", report.placed.off_node);
    CHECK(crossings == wanted, "%d a node, %s: %d steps between packages", each, levels, crossings);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    expect(4, "package", "within-node", 2);
    expect(8, "package", "within-node", 1);
    expect(4, "none", "given", 6);
    expect(8, "none", "given", 7);
    MPI_Finalize();
    return 0;
}
