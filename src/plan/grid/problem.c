/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/problem.h"

#include "base/status.h"

int caucus_grid_problem_check(const struct caucus_grid_problem *problem) {
    if (problem->nodes.ranks != problem->grid.size)
        return caucus_fail(CAUCUS_BAD_DIMS, "the grid has %lld cells, the nodes have %lld ranks",
                           (long long)problem->grid.size, (long long)problem->nodes.ranks);
    if (problem->stencil.ndims != problem->grid.ndims)
        return caucus_fail(CAUCUS_BAD_DIMS, "the stencil has %d dimensions, the grid has %d",
                           problem->stencil.ndims, problem->grid.ndims);
    return CAUCUS_OK;
}

void caucus_grid_problem_free(struct caucus_grid_problem *problem) {
    caucus_stencil_free(&problem->stencil);
    caucus_nodes_free(&problem->nodes);
}
