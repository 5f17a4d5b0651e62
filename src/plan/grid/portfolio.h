/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries mappers, refines the best, and never returns a mapping worse than the one it was given. */
#ifndef CAUCUS_PLAN_GRID_PORTFOLIO_H
#define CAUCUS_PLAN_GRID_PORTFOLIO_H

#include "plan/grid/evaluate.h"
#include "plan/machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* The rank of every cell, once its node is known: cells of a node go to the node's ranks such that
 * the levels below get compact sets (place.h). rank_of_cell has grid.size entries. The machine has
 * the ranks that take part, numbered 0 .. grid.size-1, and nodes as in node_of_cell. */
int caucus_grid_assign(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                       const struct caucus_machine *machine, const int32_t *node_of_cell,
                       int32_t *rank_of_cell);

#ifdef __cplusplus
}
#endif

#endif
