/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the leaders of the nodes, each of which knows the cells of its own node alone. */
#ifndef CAUCUS_API_GRID_DISTRIBUTED_H
#define CAUCUS_API_GRID_DISTRIBUTED_H

#include "api/grid/candidate.h"
#include "api/grid/placement.h"
#include "plan/grid/mirror.h"
#include "plan/grid/slabs.h"

/* What a leader looks cells up in. */
struct caucus_grid_table {
    struct caucus_grid_candidate candidate;
    struct caucus_mirrors mirrors;
    struct caucus_slabs *slabs;
};

/* The cells of a node of the problem, ascending: as many as this leader's own node has. */
void caucus_grid_look_up(const struct caucus_grid_table *table, int32_t number,
                         struct caucus_grid_placement *placement);

/* Nodes of one size exchange their cells, and all are seen through a symmetry of the grid, so that
 * rank 0 keeps cell 0 for nothing (plan/grid/rank0.h); *kept if there was a way. Leaders only. */
int caucus_grid_keep_rank0(const struct caucus_grid_table *table,
                           struct caucus_grid_placement *placement, bool *kept);

/* For the rest: the node of rank 0 gives its loosest cell for cell 0, if the setting allows what
 * that costs. The report has what the cells cost before, and after. Leaders only. */
int caucus_grid_exchange_rank0(const struct caucus_grid_table *table,
                               struct caucus_grid_placement *placement);

#endif
