/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a plan and of its mapping. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/bound.h"
#include "plan/grid/evaluate.h"
#include "study/face/plan.h"

#include <stdlib.h>
#include <string.h>

int64_t caucus_plan_cells(const caucus_plan *plan) {
    return plan->problem.grid.size;
}

int64_t caucus_plan_ranks(const caucus_plan *plan) {
    return plan->machine.ranks;
}

int caucus_plan_levels(const caucus_plan *plan) {
    return plan->machine.levels;
}

int32_t caucus_plan_parts(const caucus_plan *plan, int level) {
    return level >= 0 && level < plan->machine.levels ? plan->machine.parts[level] : 0;
}

const char *caucus_plan_node_name(const caucus_plan *plan, int32_t node) {
    bool named =
        plan->machine.node_name && node >= 0 && node < plan->machine.parts[CAUCUS_LEVEL_NODE];
    return named ? plan->machine.node_name[node] : NULL;
}

const char *caucus_plan_mapper(const caucus_plan *plan) {
    return plan->mapper;
}

void caucus_plan_stencil(const caucus_plan *plan, int *noffsets, const int **offsets,
                         const double **weights) {
    *noffsets = plan->problem.stencil.count;
    *offsets = plan->problem.stencil.offset;
    *weights = plan->problem.stencil.weight;
}

static int check_level(const caucus_plan *plan, int level) {
    if (level >= 0 && level < plan->machine.levels)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "the machine has levels 0 to %d, not %d",
                       plan->machine.levels - 1, level);
}

/* The parts of a level below the nodes that the cells lie on. */
static int parts_of_cells(caucus_plan *plan, int level, int32_t **part_of_cell) {
    int status = caucus_plan_assign(plan);
    if (status)
        return status;
    *part_of_cell = caucus_array(plan->problem.grid.size, sizeof **part_of_cell);
    if (!*part_of_cell)
        return CAUCUS_NO_MEMORY;
    for (int64_t cell = 0; cell < plan->problem.grid.size; cell++)
        (*part_of_cell)[cell] = plan->machine.part_of_rank[level][plan->rank_of_cell[cell]];
    return CAUCUS_OK;
}

caucus_cart_traffic caucus_plan_traffic(const struct caucus_grid_score *score) {
    return (caucus_cart_traffic){score->jsum,    score->jmax,    score->total,
                                 score->on.min,  score->on.max,  score->off.min,
                                 score->off.max, score->on.mean, score->off.mean};
}

int caucus_plan_measure(caucus_plan *plan, int level, caucus_cart_traffic *traffic) {
    struct caucus_grid_score score = {0};
    int32_t *part_of_cell = NULL;
    int status = check_level(plan, level);
    if (!status && level > CAUCUS_LEVEL_NODE)
        status = parts_of_cells(plan, level, &part_of_cell);
    if (!status)
        status = caucus_grid_evaluate(&plan->problem.grid, &plan->problem.stencil,
                                      part_of_cell ? part_of_cell : plan->node_of_cell,
                                      plan->machine.parts[level], &score);
    free(part_of_cell);
    *traffic = caucus_plan_traffic(&score);
    return caucus_plan_status_of(status);
}

int caucus_plan_bound(const caucus_plan *plan, double *bound) {
    return caucus_plan_status_of(caucus_grid_bound(&plan->problem, bound));
}

int caucus_plan_node_of_cell(const caucus_plan *plan, int32_t node_of_cell[]) {
    memcpy(node_of_cell, plan->node_of_cell,
           (size_t)plan->problem.grid.size * sizeof *node_of_cell);
    return CAUCUS_PLAN_OK;
}

int caucus_plan_rank_of_cell(caucus_plan *plan, int32_t rank_of_cell[]) {
    int status = caucus_plan_assign(plan);
    if (!status)
        memcpy(rank_of_cell, plan->rank_of_cell,
               (size_t)plan->problem.grid.size * sizeof *rank_of_cell);
    return caucus_plan_status_of(status);
}

int caucus_plan_part_of_rank(const caucus_plan *plan, int level, int32_t part_of_rank[]) {
    int status = check_level(plan, level);
    if (!status)
        memcpy(part_of_rank, plan->machine.part_of_rank[level],
               (size_t)plan->machine.ranks * sizeof *part_of_rank);
    return caucus_plan_status_of(status);
}
