/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mapper is given: which cells there are, who talks to whom, how many ranks each node has.
 */
#ifndef CAUCUS_PLAN_GRID_PROBLEM_H
#define CAUCUS_PLAN_GRID_PROBLEM_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"
#include "plan/machine/nodes.h"

struct caucus_grid_problem {
    struct caucus_grid grid;
    struct caucus_stencil stencil;
    struct caucus_nodes nodes; /* nodes.ranks == grid.size */
};

/* Checks that the parts fit together; every mapper may then rely on it. */
int caucus_grid_problem_check(const struct caucus_grid_problem *problem);
void caucus_grid_problem_free(struct caucus_grid_problem *problem);

#endif
