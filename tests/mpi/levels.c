/* SPDX-License-Identifier: BSD-3-Clause */
/* A file says which node, package and cache each rank is on: the parts of a node get compact sets
 * of cells, unless CAUCUS_LEVELS gives them up; only rank 0 needs the file.
 * run: ranks=8
 * run: ranks=8 env=CAUCUS_CART_CENTRAL=0 */
#include "traffic.h"

#include <unistd.h>

/* Ranks dealt out to 2 nodes, and there to 2 packages, each with 2 caches. */
static int node_of(int rank) {
    return rank % 2;
}
static int package_of(int rank) {
    return rank / 2 % 2;
}

enum { PACKAGES = 2, CACHES = 3, CACHES_ARE_PACKAGES = 4 };

/* A line has the node, or that and the package, or all three. */
static void write_file(const char *path, int columns) {
    FILE *file = fopen(path, "w");
    CHECK(file, "%s can't be written", path);
    fprintf(file, "# node package cache\n");
    for (int rank = 0; rank < world_size(); rank++) {
        fprintf(file, "node%d", node_of(rank));
        if (columns >= PACKAGES)
            fprintf(file, " p%d", package_of(rank));
        if (columns == CACHES)
            fprintf(file, "\tc%d", rank / 4 % 2);
        if (columns == CACHES_ARE_PACKAGES)
            fprintf(file, "\tc0");
        fprintf(file, "\n");
    }
    fclose(file);
}

/* Messages along a line of 8 that leave a package. */
static int count_crossings(int *between_nodes) {
    int dims[] = {8}, periods[] = {0}, ranks[8], own = world_rank(), crossings = 0;
    MPI_Comm parent, cart;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    CHECK_MPI(caucus_cart_create(parent, 1, dims, periods, 1, &cart));
    MPI_Allgather(&own, 1, MPI_INT, ranks, 1, MPI_INT, cart);
    *between_nodes = 0;
    for (int cell = 1; cell < 8; cell++) {
        int a = ranks[cell - 1], b = ranks[cell];
        *between_nodes += node_of(a) != node_of(b);
        crossings += node_of(a) != node_of(b) || package_of(a) != package_of(b);
    }
    MPI_Comm_free(&cart);
    MPI_Comm_free(&parent);
    return crossings;
}

static void expect(int columns, const char *levels, int exactly) {
    char path[64], setting[80];
    int between_nodes;
    snprintf(path, sizeof path, "levels-%d.nodes", (int)getpid());
    if (world_rank() == 0) {
        write_file(path, columns);
        snprintf(setting, sizeof setting, "file:%s", path);
        setenv("CAUCUS_NODES", setting, 1);
    }
    setenv("CAUCUS_LEVELS", levels, 1);
    int crossings = count_crossings(&between_nodes);
    CHECK(between_nodes == 1, "%d steps between nodes", between_nodes);
    CHECK(crossings == exactly, "%d columns, %s: %d steps between packages", columns, levels,
          crossings);
    if (world_rank() == 0)
        unlink(path);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    expect(1, "package,cache", 7); /* ranks of a node stay in order */
    expect(PACKAGES, "package,cache", 3);
    expect(CACHES, "package,cache", 3);
    expect(CACHES, "package", 3);
    expect(CACHES, "cache", 7);
    expect(CACHES_ARE_PACKAGES, "cache", 3);
    expect(CACHES, "none", 7);
    expect(CACHES_ARE_PACKAGES, "none", 7);
    MPI_Finalize();
    return 0;
}
