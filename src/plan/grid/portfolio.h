/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries mappers, refines the best, and never returns a mapping worse than the one it was given. */
#ifndef CAUCUS_PLAN_GRID_PORTFOLIO_H
#define CAUCUS_PLAN_GRID_PORTFOLIO_H

#include "plan/grid/evaluate.h"

struct caucus_grid_mapping {
    const char *mapper;    /* its name; "given" where nothing beat what was given */
    int32_t *node_of_cell; /* owned: caucus_grid_choice_free */
    struct caucus_grid_score score;
};

struct caucus_grid_choice {
    struct caucus_grid_mapping best;
    bool keeps_rank0; /* node 0 has cell 0 in it */
    /* Where it does not: the best found in which node 0 has cell 0; else, and where that was not
     * asked for, its node_of_cell is NULL. */
    struct caucus_grid_mapping keeping;
    struct caucus_grid_score given; /* of the mapping given */
    double bound;                   /* caucus_grid_bound */
};

/* mapper: a name of the table to force one, "best" for all of them and the refinement. given: the
 * node of every cell if nobody reorders, NULL for consecutive ranks. keep_rank0: whether rank 0 is
 * to keep cell 0 (rank0.h) where that costs nothing; where it does, what else is offered. */
int caucus_grid_choose(const struct caucus_grid_problem *problem, const char *mapper,
                       const int32_t *given, bool keep_rank0, struct caucus_grid_choice *choice);
void caucus_grid_choice_free(struct caucus_grid_choice *choice);

#endif
