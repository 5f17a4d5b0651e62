/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping the grid of a plan. A mapper sees only the ranks that take part; what it says is put in
 * the numbers of the whole machine, in which the ranks that nobody reorders are judged too. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/portfolio.h"
#include "study/face/plan.h"
#include "study/grid/assign.h"

#include <stdlib.h>
#include <string.h>

/* Cell i to rank i. */
static void map_given(const caucus_plan *plan, int32_t *node_of_cell) {
    memcpy(node_of_cell, plan->machine.part_of_rank[CAUCUS_LEVEL_NODE],
           (size_t)plan->problem.grid.size * sizeof *node_of_cell);
}

static int score_nodes(const caucus_plan *plan, const int32_t *node_of_cell,
                       struct caucus_grid_score *score) {
    return caucus_grid_evaluate(&plan->problem.grid, &plan->problem.stencil, node_of_cell,
                                plan->machine.parts[CAUCUS_LEVEL_NODE], score);
}

/* From the numbers of the nodes that take part to those of the machine, in place. */
static int renumber_nodes(const caucus_plan *plan, int32_t *node_of_cell) {
    if (!plan->rank_taking_part)
        return CAUCUS_OK;
    int32_t *number = caucus_array(plan->problem.nodes.count, sizeof *number);
    if (!number)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < plan->taking_part.ranks; rank++)
        number[plan->taking_part.part_of_rank[CAUCUS_LEVEL_NODE][rank]] =
            plan->machine.part_of_rank[CAUCUS_LEVEL_NODE][plan->rank_taking_part[rank]];
    for (int64_t cell = 0; cell < plan->problem.grid.size; cell++)
        node_of_cell[cell] = number[node_of_cell[cell]];
    free(number);
    return CAUCUS_OK;
}

/* A forced mapper is run as it is; only "best" competes with what was given, here where the given
 * ranks are not those that take part, otherwise in the portfolio. */
static int map_with(const caucus_plan *plan, const char *mapper, int32_t *node_of_cell,
                    const char **made_by) {
    struct caucus_grid_choice choice;
    bool all = !plan->rank_taking_part;
    int status =
        caucus_grid_choose(&plan->problem, mapper,
                           all ? plan->machine.part_of_rank[CAUCUS_LEVEL_NODE] : NULL, &choice);
    if (status)
        return status;
    memcpy(node_of_cell, choice.node_of_cell,
           (size_t)plan->problem.grid.size * sizeof *node_of_cell);
    struct caucus_grid_score score = choice.score;
    *made_by = choice.mapper;
    caucus_grid_choice_free(&choice);
    if (all)
        return CAUCUS_OK;
    if (strcmp(*made_by, "given") == 0)
        *made_by = "row-major"; /* given to the portfolio, but not what the machine gives */
    if (strcmp(mapper, "best") == 0) {
        struct caucus_grid_score given;
        int32_t *node_of_rank = plan->machine.part_of_rank[CAUCUS_LEVEL_NODE];
        status = score_nodes(plan, node_of_rank, &given);
        if (!status && !caucus_grid_better(&score, &given)) {
            map_given(plan, node_of_cell);
            *made_by = "given";
            return CAUCUS_OK;
        }
    }
    return status ? status : renumber_nodes(plan, node_of_cell);
}

int caucus_plan_map(caucus_plan *plan, const char *mapper) {
    if (!mapper)
        return caucus_plan_status_of(
            caucus_fail(CAUCUS_BAD_ARGUMENT, "the mapper is a null pointer"));
    const char *made_by = "given";
    int32_t *node_of_cell = caucus_array(plan->problem.grid.size, sizeof *node_of_cell);
    int status = node_of_cell ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && strcmp(mapper, "given") == 0)
        map_given(plan, node_of_cell);
    else if (!status)
        status = map_with(plan, mapper, node_of_cell, &made_by);
    if (status) {
        free(node_of_cell);
        return caucus_plan_status_of(status);
    }
    free(plan->rank_of_cell);
    free(plan->node_of_cell);
    plan->rank_of_cell = NULL;
    plan->node_of_cell = node_of_cell;
    plan->mapper = made_by;
    return CAUCUS_PLAN_OK;
}

/* The nodes of the mapping in force, in the numbers of those that take part. */
static int32_t *nodes_taking_part(const caucus_plan *plan) {
    int64_t cells = plan->problem.grid.size;
    int32_t *local = caucus_array_copy(plan->node_of_cell, cells, sizeof *local);
    if (!local || !plan->rank_taking_part)
        return local;
    int32_t *number = caucus_array(plan->machine.parts[CAUCUS_LEVEL_NODE], sizeof *number);
    for (int64_t rank = 0; number && rank < cells; rank++)
        number[plan->machine.part_of_rank[CAUCUS_LEVEL_NODE][plan->rank_taking_part[rank]]] =
            plan->taking_part.part_of_rank[CAUCUS_LEVEL_NODE][rank];
    for (int64_t cell = 0; number && cell < cells; cell++)
        local[cell] = number[local[cell]];
    if (!number) {
        free(local);
        return NULL;
    }
    free(number);
    return local;
}

static int assign_ranks(const caucus_plan *plan, int32_t *rank_of_cell) {
    int32_t *node_of_cell = nodes_taking_part(plan);
    if (!node_of_cell)
        return CAUCUS_NO_MEMORY;
    int status = caucus_grid_assign(&plan->problem.grid, &plan->problem.stencil, &plan->taking_part,
                                    node_of_cell, rank_of_cell);
    for (int64_t cell = 0; plan->rank_taking_part && !status && cell < plan->problem.grid.size;
         cell++)
        rank_of_cell[cell] = plan->rank_taking_part[rank_of_cell[cell]];
    free(node_of_cell);
    return status;
}

int caucus_plan_assign(caucus_plan *plan) {
    if (plan->rank_of_cell)
        return CAUCUS_OK;
    int64_t cells = plan->problem.grid.size;
    int32_t *rank_of_cell = caucus_array(cells, sizeof *rank_of_cell);
    int status = rank_of_cell ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && strcmp(plan->mapper, "given") == 0)
        for (int64_t cell = 0; cell < cells; cell++)
            rank_of_cell[cell] = (int32_t)cell;
    else if (!status)
        status = assign_ranks(plan, rank_of_cell);
    if (status)
        free(rank_of_cell);
    else
        plan->rank_of_cell = rank_of_cell;
    return status;
}
