/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind caucus_plan of caucus/plan.h. */
#ifndef CAUCUS_STUDY_FACE_PLAN_H
#define CAUCUS_STUDY_FACE_PLAN_H

#include "plan/grid/portfolio.h"
#include "plan/machine/machine.h"

#include <caucus/plan.h>

struct caucus_plan {
    struct caucus_machine machine;      /* all ranks, with or without a cell */
    struct caucus_machine taking_part;  /* the ranks that get cells where a mapper places them */
    int32_t *rank_taking_part;          /* their numbers in machine, ascending; NULL: all ranks */
    struct caucus_grid_problem problem; /* nodes are those of taking_part */
    const char *mapper;
    int32_t *node_of_cell;              /* the mapping in force, in the numbers of machine */
    struct caucus_grid_mapping keeping; /* the next best that keeps rank 0, where that one does not;
                                           or none */
    int32_t *rank_of_cell;              /* worked out when it is asked for: NULL until then */
};

/* The status of the public face. */
int caucus_plan_status_of(int status);

/* A score as the public face has it. */
caucus_cart_traffic caucus_plan_traffic(const struct caucus_grid_score *score);

/* Reads the text of a machine for so many cells of a grid or vertices of a graph, which are called
 * things, and not more than ranks. Forms that don't say how many ranks there are get one for each.
 */
int caucus_plan_read_machine(struct caucus_machine *machine, const char *text, int64_t ranks,
                             int64_t count, const char *things);

/* Fills rank_of_cell for the mapping in force, if it is not there yet. */
int caucus_plan_assign(caucus_plan *plan);

#endif
