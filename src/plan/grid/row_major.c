/* SPDX-License-Identifier: BSD-3-Clause */
/* Consecutive ranks take consecutive cells: what MPI libraries do, whatever reorder says.
 * O(size) time. */
#include "base/status.h"
#include "plan/grid/mapper.h"

int caucus_grid_map_row_major(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    int64_t cell = 0;
    for (int32_t node = 0; node < problem->nodes.count; node++)
        for (int32_t local = 0; local < caucus_nodes_size(&problem->nodes, node); local++)
            node_of_cell[cell++] = node;
    return CAUCUS_OK;
}
