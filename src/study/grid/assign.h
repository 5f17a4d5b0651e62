/* SPDX-License-Identifier: BSD-3-Clause */
/* From the node of every cell to its rank, for a whole machine at once: the library itself lets
 * each node place its own ranks (plan/grid/place.h). */
#ifndef CAUCUS_STUDY_GRID_ASSIGN_H
#define CAUCUS_STUDY_GRID_ASSIGN_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"
#include "plan/machine/machine.h"

/* The rank of every cell, once its node is known: cells of a node go to the node's ranks such that
 * the levels below get compact sets (plan/grid/place.h); rank 0 gets cell 0 if its node has it.
 * rank_of_cell has grid.size entries. The
 * machine has the ranks that take part, numbered 0 .. grid.size-1, and nodes as in node_of_cell. */
int caucus_grid_assign(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                       const struct caucus_machine *machine, const int32_t *node_of_cell,
                       int32_t *rank_of_cell);

#endif
