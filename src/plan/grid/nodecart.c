/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodecart: one box per node, its shape made from the prime factors of the node size.
 * W. Gropp, "Using Node Information to Implement MPI Cartesian Topologies", EuroMPI 2018; "Using
 * node and socket information to implement MPI Cartesian topologies", Parallel Computing, 2019.
 *
 *     for each prime factor f of the node size, largest first:
 *         j = the axis with the largest remaining size among those that f divides
 *         tile[j] *= f;  remaining[j] /= f
 *
 * The paper leaves ties open. Here the first such axis wins, which gives the 2 x 4 x 2 boxes of its
 * table for the 16 x 32 x 32 grid. Stencil and weights are not looked at: the boxes are to be as
 * square as the factors allow.
 * Limits: nodes of equal size, whose factors all fit. O(size). */
#include "base/status.h"
#include "plan/grid/mapper.h"
#include "plan/grid/tile.h"

static int largest_prime_factor(int number) {
    int largest = 1;
    for (int factor = 2; factor <= number / factor; factor++)
        for (; number % factor == 0; number /= factor)
            largest = factor;
    return number > 1 ? number : largest;
}

static int largest_axis(int ndims, const int *remaining, int factor) {
    int largest = -1;
    for (int axis = 0; axis < ndims; axis++)
        if (remaining[axis] % factor == 0 && (largest < 0 || remaining[axis] > remaining[largest]))
            largest = axis;
    return largest;
}

int caucus_grid_map_nodecart(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    const struct caucus_grid *grid = &problem->grid;
    int tile[CAUCUS_GRID_MAX_DIMS], remaining[CAUCUS_GRID_MAX_DIMS];
    if (!problem->nodes.equal)
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "nodecart needs nodes of equal size");
    for (int axis = 0; axis < grid->ndims; axis++) {
        tile[axis] = 1;
        remaining[axis] = grid->dims[axis];
    }
    for (int rest = problem->nodes.equal, factor; rest > 1; rest /= factor) {
        factor = largest_prime_factor(rest);
        int axis = largest_axis(grid->ndims, remaining, factor);
        if (axis < 0)
            return caucus_fail(
                CAUCUS_NOT_APPLICABLE,
                "nodecart finds no dimension left that the factor %d of the node size %d divides",
                factor, problem->nodes.equal);
        tile[axis] *= factor;
        remaining[axis] /= factor;
    }
    caucus_tile_fill(grid, tile, node_of_cell);
    return CAUCUS_OK;
}
