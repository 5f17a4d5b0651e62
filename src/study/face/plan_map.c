/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping the grid of a plan. A mapper sees only the ranks that take part; what it says is put in
 * the numbers of the whole machine, in which the ranks that nobody reorders are judged too. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/rank0.h"
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

/* Of what a mapper makes of the ranks that take part: in the numbers of the machine, and where
 * these are not the first ranks, what was given to the portfolio is not what the machine gives. */
static int finish(const caucus_plan *plan, struct caucus_grid_mapping *mapping) {
    if (!plan->rank_taking_part || !mapping->node_of_cell)
        return CAUCUS_OK;
    if (strcmp(mapping->mapper, "given") == 0)
        mapping->mapper = "row-major";
    return renumber_nodes(plan, mapping->node_of_cell);
}

static int map_all_given(const caucus_plan *plan, struct caucus_grid_choice *choice) {
    choice->best.mapper = "given";
    choice->best.node_of_cell =
        caucus_array(plan->problem.grid.size, sizeof *choice->best.node_of_cell);
    if (!choice->best.node_of_cell)
        return CAUCUS_NO_MEMORY;
    map_given(plan, choice->best.node_of_cell);
    return CAUCUS_OK;
}

/* A forced mapper is run as it is; only "best" competes with what was given, here where the given
 * ranks are not those that take part, otherwise in the portfolio. */
static int map_with(const caucus_plan *plan, const char *mapper,
                    struct caucus_grid_choice *choice) {
    const int32_t *node_of_rank = plan->machine.part_of_rank[CAUCUS_LEVEL_NODE];
    bool all = !plan->rank_taking_part, has_rank0 = all || plan->rank_taking_part[0] == 0;
    int status =
        caucus_grid_choose(&plan->problem, mapper, all ? node_of_rank : NULL, has_rank0, choice);
    if (!status && !all && strcmp(mapper, "best") == 0) {
        struct caucus_grid_score given;
        status = score_nodes(plan, node_of_rank, &given);
        if (!status && !caucus_grid_better(&choice->best.score, &given)) {
            caucus_grid_choice_free(choice);
            return map_all_given(plan, choice);
        }
    }
    if (!status)
        status = finish(plan, &choice->best);
    return status ? status : finish(plan, &choice->keeping);
}

/* Puts a mapping in force, which is taken over. */
static void put_in_force(caucus_plan *plan, const struct caucus_grid_mapping *mapping) {
    free(plan->rank_of_cell);
    free(plan->node_of_cell);
    plan->rank_of_cell = NULL;
    plan->node_of_cell = mapping->node_of_cell;
    plan->mapper = mapping->mapper;
}

int caucus_plan_map(caucus_plan *plan, const char *mapper) {
    struct caucus_grid_choice choice = {.keeping = {.mapper = NULL}};
    if (!mapper)
        return caucus_plan_status_of(
            caucus_fail(CAUCUS_BAD_ARGUMENT, "the mapper is a null pointer"));
    int status = strcmp(mapper, "given") == 0 ? map_all_given(plan, &choice)
                                              : map_with(plan, mapper, &choice);
    if (status) {
        caucus_grid_choice_free(&choice);
        return caucus_plan_status_of(status);
    }
    put_in_force(plan, &choice.best);
    free(plan->keeping.node_of_cell);
    plan->keeping = choice.keeping;
    return CAUCUS_PLAN_OK;
}

/* Finds the cheaper of what keeps rank 0: that all ranks stay, and what was kept for that. score is
 * that of the mapping in force. */
static int find_keeping(const caucus_plan *plan, const struct caucus_grid_score *score,
                        struct caucus_grid_choice *found) {
    const struct caucus_grid_mapping *keeping = &plan->keeping;
    int status = map_all_given(plan, found);
    if (!status)
        status = score_nodes(plan, found->best.node_of_cell, &found->best.score);
    if (!status && keeping->node_of_cell &&
        caucus_rank0_cheaper(&keeping->score, &found->best.score, score)) {
        found->best.mapper = keeping->mapper;
        found->best.score = keeping->score;
        memcpy(found->best.node_of_cell, keeping->node_of_cell,
               (size_t)plan->problem.grid.size * sizeof *keeping->node_of_cell);
    }
    return status;
}

int caucus_plan_keep_rank0(caucus_plan *plan, double most, int *kept, double *cost) {
    struct caucus_grid_choice found = {.keeping = {.mapper = NULL}};
    struct caucus_grid_score score;
    *kept = plan->node_of_cell[0] == plan->machine.part_of_rank[CAUCUS_LEVEL_NODE][0];
    *cost = 0;
    if (*kept)
        return CAUCUS_PLAN_OK;
    int status = score_nodes(plan, plan->node_of_cell, &score);
    if (!status)
        status = find_keeping(plan, &score, &found);
    if (!status) {
        const struct caucus_grid_score *least = &found.best.score;
        *cost = caucus_rank0_cost(least->jsum, least->jmax, score.jsum, score.jmax);
        *kept = *cost <= most;
    }
    if (!status && *kept) {
        put_in_force(plan, &found.best);
        found.best.node_of_cell = NULL;
    }
    caucus_grid_choice_free(&found);
    return caucus_plan_status_of(status);
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
