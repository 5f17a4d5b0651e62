/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic of a Cartesian communicator by brute force, written apart from the library: every
 * rank knows every rank's node, and counts all edges. And what must hold for every grid made. */
#ifndef TESTS_MPI_TRAFFIC_H
#define TESTS_MPI_TRAFFIC_H

#include "check.h"

#include <caucus/caucus.h>

#include <math.h>
#include <string.h>

enum { MOST_DIMS = 10, MOST_RANKS = 64 };

struct offsets {
    int count;
    const int *offset;
    const double *weight; /* NULL: all 1 */
};

/* The node of a rank of MPI_COMM_WORLD as the simple forms of CAUCUS_NODES tell; without it, the
 * tests run on one machine. */
static inline int node_of_world_rank(int rank) {
    const char *text = getenv("CAUCUS_NODES"), *cliques = getenv("MPIR_CVAR_NUM_CLIQUES");
    int a, b, node = 0;
    if (!text || !*text) /* MPICH can make several nodes of one machine */
        return cliques ? rank % atoi(cliques) : 0;
    if (sscanf(text, "cyclic:%d", &a) == 1)
        return rank % a;
    if (sscanf(text, "ppn:%d", &a) == 1)
        return rank / a;
    if (sscanf(text, "%dx%d", &a, &b) == 2)
        return rank / b;
    for (int first = 0; sscanf(text, "%d", &a) == 1; node++) { /* sizes: 5,2,1 */
        first += a;
        if (rank < first)
            return node;
        text = strchr(text, ',');
        CHECK(text, "CAUCUS_NODES describes too few ranks");
        text++;
    }
    CHECK(0, "the tests can't read CAUCUS_NODES=%s", text);
    return 0;
}

/* The nodes of the ranks of a communicator. */
static inline void gather_nodes(MPI_Comm comm, int *node) {
    int own = node_of_world_rank(world_rank());
    MPI_Allgather(&own, 1, MPI_INT, node, 1, MPI_INT, comm);
}

static inline int count_nodes(int ranks, const int *node) {
    int count = 0;
    for (int i = 0; i < ranks; i++) {
        int j = 0;
        while (node[j] != node[i])
            j++;
        count += i == j;
    }
    return count;
}

/* The cell at an offset, -1 for none; coordinates by hand. */
static inline int cell_at(int ndims, const int *dims, const int *periods, int cell,
                          const int *offset) {
    int coordinates[MOST_DIMS], result = 0;
    for (int axis = ndims - 1; axis >= 0; axis--) {
        coordinates[axis] = cell % dims[axis];
        cell /= dims[axis];
    }
    for (int axis = 0; axis < ndims; axis++) {
        int at = coordinates[axis] + offset[axis];
        if (!periods[axis] && (at < 0 || at >= dims[axis]))
            return -1;
        at = ((at % dims[axis]) + dims[axis]) % dims[axis];
        result = result * dims[axis] + at;
    }
    return result;
}

static inline caucus_cart_traffic count_traffic(int ndims, const int *dims, const int *periods,
                                                struct offsets stencil, const int *node) {
    caucus_cart_traffic sum = {.on_min = stencil.count, .off_min = stencil.count};
    double leaving[MOST_RANKS] = {0};
    int cells = 1;
    for (int axis = 0; axis < ndims; axis++)
        cells *= dims[axis];
    for (int cell = 0; cell < cells; cell++) {
        int on = 0, off = 0;
        for (int k = 0; k < stencil.count; k++) {
            int to = cell_at(ndims, dims, periods, cell, stencil.offset + k * ndims);
            double weight = stencil.weight ? stencil.weight[k] : 1;
            if (to < 0 || to == cell)
                continue;
            sum.all += weight;
            if (node[to] == node[cell]) {
                on++;
            } else {
                off++;
                leaving[node[cell]] += weight;
                sum.off_node += weight;
            }
        }
        sum.on_min = on < sum.on_min ? on : sum.on_min;
        sum.on_max = on > sum.on_max ? on : sum.on_max;
        sum.off_min = off < sum.off_min ? off : sum.off_min;
        sum.off_max = off > sum.off_max ? off : sum.off_max;
        sum.on_mean += on / (double)cells;
        sum.off_mean += off / (double)cells;
    }
    for (int i = 0; i < MOST_RANKS; i++)
        sum.off_node_worst = leaving[i] > sum.off_node_worst ? leaving[i] : sum.off_node_worst;
    return sum;
}

static inline void check_close(double a, double b, const char *what) {
    CHECK(fabs(a - b) <= 1e-9 * (1 + fabs(b)), "%s is %.17g, by brute force %.17g", what, a, b);
}

static inline void check_traffic(const caucus_cart_traffic *a, const caucus_cart_traffic *b) {
    check_close(a->off_node, b->off_node, "off_node");
    check_close(a->off_node_worst, b->off_node_worst, "off_node_worst");
    check_close(a->all, b->all, "all");
    check_close(a->on_mean, b->on_mean, "on_mean");
    check_close(a->off_mean, b->off_mean, "off_mean");
    CHECK(a->on_min == b->on_min && a->on_max == b->on_max, "on node %d..%d, by brute force %d..%d",
          a->on_min, a->on_max, b->on_min, b->on_max);
    CHECK(a->off_min == b->off_min && a->off_max == b->off_max,
          "off node %d..%d, by brute force %d..%d", a->off_min, a->off_max, b->off_min, b->off_max);
}

/* The 2 * ndims unit steps. */
static inline struct offsets star(int ndims, int *room) {
    memset(room, 0, sizeof(int) * 2 * (size_t)ndims * (size_t)ndims);
    for (int axis = 0; axis < ndims; axis++) {
        room[2 * axis * ndims + axis] = -1;
        room[(2 * axis + 1) * ndims + axis] = 1;
    }
    return (struct offsets){2 * ndims, room, NULL};
}

/* An own copy of what MPI says of the grid: shape, coordinates, neighbours, and every cell once. */
static inline void check_topology(MPI_Comm cart, int ndims, const int *dims, const int *periods) {
    int topology, size, rank, n, cells = 1, got_dims[MOST_DIMS], got_periods[MOST_DIMS];
    int coordinates[MOST_DIMS], again, unit[MOST_DIMS] = {0};
    MPI_Topo_test(cart, &topology);
    CHECK(topology == MPI_CART, "the topology is %d", topology);
    MPI_Cartdim_get(cart, &n);
    CHECK(n == ndims, "%d dimensions", n);
    MPI_Comm_size(cart, &size);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_get(cart, ndims, got_dims, got_periods, coordinates);
    for (int axis = 0; axis < ndims; axis++) {
        CHECK(got_dims[axis] == dims[axis] && !got_periods[axis] == !periods[axis], "axis %d",
              axis);
        cells *= dims[axis];
    }
    CHECK(size == cells, "%d ranks for %d cells", size, cells);
    MPI_Cart_rank(cart, coordinates, &again);
    CHECK(again == rank, "rank %d has the coordinates of %d", rank, again);
    for (int axis = 0; axis < ndims; axis++) {
        int from, to;
        memset(unit, 0, sizeof unit);
        unit[axis] = 1;
        MPI_Cart_shift(cart, axis, 1, &from, &to);
        int expected = cell_at(ndims, dims, periods, rank, unit);
        CHECK(to == (expected < 0 ? MPI_PROC_NULL : expected), "axis %d leads to %d, not %d", axis,
              to, expected);
    }
}

/* Every process of comm_old is in the grid at most once. */
static inline void check_members(MPI_Comm comm_old, MPI_Comm cart, int cells) {
    int size, rank = -1, ranks[MOST_RANKS], seen[MOST_RANKS] = {0}, members = 0;
    MPI_Comm_size(comm_old, &size);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_rank(cart, &rank);
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, comm_old);
    for (int i = 0; i < size; i++) {
        if (ranks[i] < 0)
            continue;
        CHECK(ranks[i] < cells && !seen[ranks[i]], "cell %d is taken twice", ranks[i]);
        seen[ranks[i]] = 1;
        members++;
    }
    CHECK(members == cells, "%d of %d cells are taken", members, cells);
}

/* All that must hold for a grid made from comm_old, and that the report is true. Collective over
 * comm_old; returns the report on the ranks of the grid. */
static inline caucus_cart_report_data check_grid(MPI_Comm comm_old, MPI_Comm cart, int ndims,
                                                 const int *dims, const int *periods,
                                                 struct offsets stencil) {
    int cells = 1, size, rank, own, node_old[MOST_RANKS], node[MOST_RANKS], moved, moved_any;
    caucus_cart_report_data report = {0};
    for (int axis = 0; axis < ndims; axis++)
        cells *= dims[axis];
    check_members(comm_old, cart, cells);
    gather_nodes(comm_old, node_old);
    MPI_Comm_rank(comm_old, &rank);
    if (cart == MPI_COMM_NULL)
        return report;
    check_topology(cart, ndims, dims, periods);
    gather_nodes(cart, node);
    MPI_Comm_size(cart, &size);
    MPI_Comm_rank(cart, &own);
    moved = own != rank;
    MPI_Allreduce(&moved, &moved_any, 1, MPI_INT, MPI_MAX, cart);
    CHECK_MPI(caucus_cart_report(cart, &report));
    caucus_cart_traffic placed = count_traffic(ndims, dims, periods, stencil, node);
    caucus_cart_traffic given = count_traffic(ndims, dims, periods, stencil, node_old);
    check_traffic(&report.placed, &placed);
    check_traffic(&report.given, &given);
    CHECK(report.nodes == count_nodes(size, node), "%d nodes", report.nodes);
    CHECK(memchr(report.mapper, 0, sizeof report.mapper), "the name has no end");
    CHECK(!moved_any || strcmp(report.mapper, "given") != 0,
          "ranks moved, but the mapper is given");
    if (strcmp(report.mapper, "chaos") != 0) {
        CHECK(placed.off_node <= given.off_node, "worse than given: %g, not %g", placed.off_node,
              given.off_node);
        CHECK(report.bound <= placed.off_node * (1 + 1e-9), "the bound is %g above %g",
              report.bound, placed.off_node);
    }
    return report;
}

#endif
