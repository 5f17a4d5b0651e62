/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries mappers, refines the best, and never returns a mapping worse than the one it was given. */
#ifndef CAUCUS_PLAN_GRID_PORTFOLIO_H
#define CAUCUS_PLAN_GRID_PORTFOLIO_H

#include "plan/grid/evaluate.h"

struct caucus_grid_choice {
    const char *mapper;             /* its name; "given" where nothing beat what was given */
    int32_t *node_of_cell;          /* owned: caucus_grid_choice_free */
    struct caucus_grid_score score; /* of the choice */
    struct caucus_grid_score given; /* of the mapping given */
    double bound;                   /* caucus_grid_bound */
};

/* mapper: a name of the table to force one, "best" for all of them and the refinement. given: the
 * node of every cell if nobody reorders, NULL for consecutive ranks. */
int caucus_grid_choose(const struct caucus_grid_problem *problem, const char *mapper,
                       const int32_t *given, struct caucus_grid_choice *choice);
void caucus_grid_choice_free(struct caucus_grid_choice *choice);

#endif
