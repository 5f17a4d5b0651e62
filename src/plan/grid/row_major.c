/* SPDX-License-Identifier: BSD-3-Clause */
/* Consecutive ranks take consecutive cells: what MPI libraries do, whatever reorder says.
 * O(size) time. */
#include "base/status.h"
#include "plan/grid/deal.h"
#include "plan/grid/mapper.h"

int caucus_grid_map_row_major(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    struct caucus_deal deal = caucus_deal_begin(&problem->nodes);
    for (int64_t cell = 0; cell < problem->grid.size; cell++)
        node_of_cell[cell] = caucus_deal_next(&deal);
    return CAUCUS_OK;
}
