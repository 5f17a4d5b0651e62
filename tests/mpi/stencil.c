/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights along the axes and arbitrary stencils, asymmetric ones too, against a count by brute
 * force; mappers and thresholds by info.
 * run: ranks=1,4,7
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 env=CAUCUS_NODES=3,1,4
 * run: ranks=8 env=CAUCUS_NODES=cyclic:4 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=8 args=many env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_CENTRAL=8 */
#include "traffic.h"

static unsigned state = 12345;

/* The same on all ranks. */
static int draw(int below) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 10) % (unsigned)below);
}

static void try_weights(const int *dims, const int *periods, const double *weights) {
    int room[2 * MOST_DIMS * MOST_DIMS];
    double of_offset[2 * MOST_DIMS];
    MPI_Comm cart;
    struct offsets steps = star(2, room);
    for (int k = 0; k < steps.count; k++)
        of_offset[k] = weights[k / 2];
    steps.weight = of_offset;
    CHECK_MPI(caucus_cart_create_weighted(MPI_COMM_WORLD, 2, dims, periods, weights, 1, &cart));
    check_grid(MPI_COMM_WORLD, cart, 2, dims, periods, steps);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
}

static caucus_cart_report_data try_stencil(int ndims, const int *dims, const int *periods,
                                           struct offsets stencil, MPI_Info info) {
    MPI_Comm cart;
    CHECK_MPI(caucus_stencil_create(MPI_COMM_WORLD, ndims, dims, periods, stencil.count,
                                    stencil.offset, stencil.weight, info, 1, &cart));
    caucus_cart_report_data report =
        check_grid(MPI_COMM_WORLD, cart, ndims, dims, periods, stencil);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    return report;
}

static void try_random(void) {
    int dims[3], periods[3], offset[9 * 3], ndims = 1 + draw(3), cells = 1;
    double weight[9];
    for (int axis = 0; axis < ndims; axis++) {
        dims[axis] = 1 + draw(world_size() / cells);
        cells *= dims[axis];
        periods[axis] = draw(2);
    }
    struct offsets stencil = {draw(10), offset, draw(2) ? weight : NULL};
    for (int k = 0; k < stencil.count; k++) {
        weight[k] = 1 + draw(20) / 4.0;
        for (int axis = 0; axis < ndims; axis++)
            offset[k * ndims + axis] = draw(7) - 3;
        offset[k * ndims] += offset[k * ndims] == 0; /* never all zeros */
    }
    try_stencil(ndims, dims, periods, stencil, MPI_INFO_NULL);
}

static void try_info(void) {
    int dims[] = {world_size(), 1}, periods[] = {1, 0}, offset[] = {1, 0};
    struct offsets ring = {1, offset, NULL};
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "caucus_cart_mapper", "row-major");
    MPI_Info_set(info, "another_key", "is not ours");
    caucus_cart_report_data report = try_stencil(2, dims, periods, ring, info);
    CHECK(!strcmp(report.mapper, "row-major") || !strcmp(report.mapper, "given"), "%s",
          report.mapper);
    MPI_Info_set(info, "caucus_cart_mapper", "best");
    MPI_Info_set(info, "caucus_cart_threshold", "1");
    report = try_stencil(2, dims, periods, ring, info);
    CHECK(report.placed.off_node == 0 || !strcmp(report.mapper, "given"),
          "ranks moved, though the gain is not whole");
    MPI_Info_free(&info);
}

/* Neighbours on a line, and offsets that lead nowhere, in all more than rank 0 is to work for. */
static void try_many(void) {
    enum { MANY = 300 };
    int dims[] = {world_size()}, periods[] = {0}, offset[MANY] = {1, -1};
    for (int k = 2; k < MANY; k++)
        offset[k] = world_size() + k;
    struct offsets few = {2, offset, NULL}, many = {MANY, offset, NULL};
    caucus_cart_report_data report = try_stencil(1, dims, periods, few, MPI_INFO_NULL);
    CHECK(!strcmp(report.mapper, "row-major"), "%s", report.mapper);
    report = try_stencil(1, dims, periods, many, MPI_INFO_NULL);
    CHECK(!strcmp(report.mapper, "slabs"), "rank 0 has planned for all: %s", report.mapper);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1) {
        try_many();
        MPI_Finalize();
        return 0;
    }
    for (int width = 1; width <= world_size(); width++) {
        int dims[] = {width, world_size() / width}, periods[] = {width % 2, width / 2 % 2};
        try_weights(dims, periods, (double[]){1, 10});
        try_weights(dims, periods, (double[]){3.5, 0});
    }
    for (int i = 0; i < 25; i++)
        try_random();
    try_info();
    MPI_Finalize();
    return 0;
}
