/* SPDX-License-Identifier: BSD-3-Clause */
/* No mapper wins everywhere, so all of them are tried, the best few are annealed, and what was
 * given competes with them. What is still far from the bound then, on a small grid, is annealed
 * longer. Ties go to the earlier in the table: the outcome is deterministic.
 *
 * Rank 0 keeps cell 0 where that costs nothing. Where it does, the best of the mappings tried in
 * which it would, and of the best one with two cells exchanged, is offered beside.
 *
 * Cost: one run and one evaluation of every mapper, O(size * offsets) each, and the sweeps of
 * refine.h. Memory: at most FINALISTS + 3 arrays of 4 bytes a cell, and what a mapper takes. */
#include "plan/grid/portfolio.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/bound.h"
#include "plan/grid/mapper.h"
#include "plan/grid/rank0.h"
#include "plan/grid/refine.h"

#include <stdlib.h>
#include <string.h>

enum { FINALISTS = 3, TEMPERATURES = 2 };
enum { LONG_RUNS = 4, LONG_FACTOR = 5, LONG_SIZE = 20000 };

static const double START_TEMPERATURES[TEMPERATURES] = {0.35, 0.8};
static const double GOOD_ENOUGH = 1.01; /* times the bound: annealing stops paying */
static const double FAR = 1.05;         /* times the bound: longer annealing pays */

struct contest {
    const struct caucus_grid_problem *problem;
    double bound;
    int count;
    struct caucus_grid_mapping best[FINALISTS + 1]; /* best first; room for one that drops out */
    bool keep_rank0;
    struct caucus_mirrors mirrors;
    struct caucus_grid_mapping keeping; /* a copy of the best that can keep rank 0 for nothing */
};

/* Where nodes are equal, every mapping can, so that none is kept for that. */
static int remember_keeping(struct contest *contest, const struct caucus_grid_mapping *entry) {
    const struct caucus_grid_problem *problem = contest->problem;
    struct caucus_grid_mapping *keeping = &contest->keeping;
    if (!contest->keep_rank0 || problem->nodes.equal)
        return CAUCUS_OK;
    if ((keeping->node_of_cell && !caucus_grid_better(&entry->score, &keeping->score)) ||
        !caucus_rank0_can_keep(problem, &contest->mirrors, entry->node_of_cell))
        return CAUCUS_OK;
    free(keeping->node_of_cell);
    *keeping = *entry;
    keeping->node_of_cell =
        caucus_array_copy(entry->node_of_cell, problem->grid.size, sizeof *entry->node_of_cell);
    return keeping->node_of_cell ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Takes over node_of_cell, which must be one of the problem's mappings. */
static int enter(struct contest *contest, const char *mapper, int32_t *node_of_cell) {
    const struct caucus_grid_problem *problem = contest->problem;
    struct caucus_grid_mapping entry = {.mapper = mapper, .node_of_cell = node_of_cell};
    int status = caucus_grid_check_sizes(problem, node_of_cell);
    if (!status)
        status = caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell,
                                      problem->nodes.count, &entry.score);
    if (!status)
        status = remember_keeping(contest, &entry);
    if (status) {
        free(node_of_cell);
        return caucus_fail_in(status, "mapper %s", mapper);
    }
    int place = contest->count++;
    for (; place > 0 && caucus_grid_better(&entry.score, &contest->best[place - 1].score); place--)
        contest->best[place] = contest->best[place - 1];
    contest->best[place] = entry;
    if (contest->count > FINALISTS)
        free(contest->best[--contest->count].node_of_cell);
    return CAUCUS_OK;
}

static int run_mapper(struct contest *contest, const struct caucus_grid_mapper *mapper) {
    int32_t *node_of_cell = caucus_array(contest->problem->grid.size, sizeof *node_of_cell);
    if (!node_of_cell)
        return CAUCUS_NO_MEMORY;
    int status = mapper->map(contest->problem, node_of_cell);
    if (!status)
        return enter(contest, mapper->name, node_of_cell);
    free(node_of_cell);
    return status;
}

/* The tolerance is relative, as weights may come in any unit. */
static bool good_enough(const struct contest *contest, double factor) {
    const struct caucus_grid_score *score = &contest->best[0].score;
    return contest->count > 0 && score->jsum <= factor * contest->bound + 1e-12 * score->total;
}

static int run_all(struct contest *contest) {
    const struct caucus_grid_mapper *mapper;
    for (int i = 0; (mapper = caucus_grid_mapper_entry(i)) && !good_enough(contest, 1); i++) {
        int status = run_mapper(contest, mapper);
        if (status && status != CAUCUS_NOT_APPLICABLE)
            return status;
    }
    return CAUCUS_OK;
}

/* Anneals a copy of start; the outcome enters the contest. The run's number chooses the temperature
 * and seeds the random numbers. */
static int anneal(struct contest *contest, const int32_t *start, int run, int sweeps) {
    int32_t *copy = caucus_array_copy(start, contest->problem->grid.size, sizeof *copy);
    if (!copy)
        return CAUCUS_NO_MEMORY;
    int status = caucus_grid_anneal(contest->problem, START_TEMPERATURES[run % TEMPERATURES],
                                    sweeps, (uint64_t)run + 1, copy);
    if (!status)
        return enter(contest, "annealed", copy);
    free(copy);
    return status;
}

/* Anneals the finalists as they stand before. */
static int anneal_finalists(struct contest *contest, int sweeps) {
    int32_t *start[FINALISTS] = {NULL};
    int starts = contest->count, status = CAUCUS_OK;
    for (int i = 0; i < starts && !status; i++) {
        start[i] = caucus_array_copy(contest->best[i].node_of_cell, contest->problem->grid.size,
                                     sizeof(int32_t));
        status = start[i] ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    for (int run = 0; run < starts * TEMPERATURES && !status; run++)
        if (!good_enough(contest, GOOD_ENOUGH))
            status = anneal(contest, start[run / TEMPERATURES], run, sweeps);
    for (int i = 0; i < starts; i++)
        free(start[i]);
    return status;
}

static int anneal_best_longer(struct contest *contest, int sweeps) {
    int status = CAUCUS_OK;
    for (int run = 0; run < LONG_RUNS && !status; run++)
        if (!good_enough(contest, FAR))
            status = anneal(contest, contest->best[0].node_of_cell, FINALISTS * TEMPERATURES + run,
                            sweeps * LONG_FACTOR);
    return status;
}

static int refine(struct contest *contest) {
    int sweeps = caucus_grid_anneal_sweeps(contest->problem);
    if (sweeps == 0 || contest->problem->nodes.count == 1)
        return CAUCUS_OK;
    int status = anneal_finalists(contest, sweeps);
    if (!status && contest->problem->grid.size <= LONG_SIZE)
        status = anneal_best_longer(contest, sweeps);
    return status;
}

static int run_contest(struct contest *contest, const char *mapper, const int32_t *given) {
    if (strcmp(mapper, "best") != 0) {
        const struct caucus_grid_mapper *forced = caucus_grid_mapper_find(mapper);
        if (!forced)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no grid mapper '%s'", mapper);
        return run_mapper(contest, forced);
    }
    int32_t *copy = caucus_array_copy(given, contest->problem->grid.size, sizeof *copy);
    int status = copy ? enter(contest, "given", copy) : CAUCUS_NO_MEMORY;
    if (!status)
        status = run_all(contest);
    return status ? status : refine(contest);
}

/* The winner, and one of whose cells two are exchanged. */
static int exchange(struct contest *contest, struct caucus_grid_mapping *exchanged) {
    const struct caucus_grid_problem *problem = contest->problem;
    *exchanged = contest->best[0];
    exchanged->node_of_cell = caucus_array_copy(exchanged->node_of_cell, problem->grid.size,
                                                sizeof *exchanged->node_of_cell);
    if (!exchanged->node_of_cell)
        return CAUCUS_NO_MEMORY;
    int status = caucus_rank0_exchange(problem, &contest->mirrors, exchanged->node_of_cell);
    return status ? status
                  : caucus_grid_evaluate(&problem->grid, &problem->stencil, exchanged->node_of_cell,
                                         problem->nodes.count, &exchanged->score);
}

/* Has the winner keep rank 0, or finds what comes next to it and does. */
static int keep_rank0(struct contest *contest, struct caucus_grid_choice *choice) {
    const struct caucus_grid_problem *problem = contest->problem;
    struct caucus_grid_mapping exchanged, *keeping = &contest->keeping;
    int status = caucus_rank0_keep(problem, &contest->mirrors, contest->best[0].node_of_cell,
                                   &choice->keeps_rank0);
    if (status || choice->keeps_rank0)
        return status;
    status = exchange(contest, &exchanged);
    if (!status &&
        (!keeping->node_of_cell ||
         caucus_rank0_cheaper(&exchanged.score, &keeping->score, &contest->best[0].score))) {
        struct caucus_grid_mapping worse = *keeping;
        *keeping = exchanged;
        exchanged = worse;
    }
    free(exchanged.node_of_cell);
    bool kept;
    if (!status)
        status = caucus_rank0_keep(problem, &contest->mirrors, keeping->node_of_cell, &kept);
    if (!status && !caucus_grid_better(&contest->best[0].score, &keeping->score)) {
        struct caucus_grid_mapping equal = *keeping;
        *keeping = contest->best[0];
        contest->best[0] = equal;
        choice->keeps_rank0 = true;
    }
    return status;
}

/* Hands over what the choice gets, and frees the rest. */
static void settle(struct contest *contest, int status, struct caucus_grid_choice *choice) {
    bool offers = !status && contest->keep_rank0 && !choice->keeps_rank0;
    if (!status)
        choice->best = contest->best[0];
    if (offers)
        choice->keeping = contest->keeping;
    else
        free(contest->keeping.node_of_cell);
    for (int i = status ? 0 : 1; i < contest->count; i++)
        free(contest->best[i].node_of_cell);
}

static int choose(struct contest *contest, const char *mapper, const int32_t *given,
                  struct caucus_grid_choice *choice) {
    const struct caucus_grid_problem *problem = contest->problem;
    int status = caucus_grid_check_sizes(problem, given);
    if (status)
        return caucus_fail_in(status, "the placement given");
    status = caucus_grid_evaluate(&problem->grid, &problem->stencil, given, problem->nodes.count,
                                  &choice->given);
    if (!status)
        status = caucus_grid_bound(problem, &contest->bound);
    choice->bound = contest->bound;
    if (!status && contest->keep_rank0)
        status = caucus_mirrors_init(&problem->grid, &problem->stencil, &contest->mirrors);
    if (!status)
        status = run_contest(contest, mapper, given);
    if (!status && contest->keep_rank0)
        status = keep_rank0(contest, choice);
    settle(contest, status, choice);
    return status;
}

int caucus_grid_choose(const struct caucus_grid_problem *problem, const char *mapper,
                       const int32_t *given, bool keep_rank0, struct caucus_grid_choice *choice) {
    struct contest contest = {.problem = problem, .keep_rank0 = keep_rank0};
    memset(choice, 0, sizeof *choice);
    int status = caucus_grid_problem_check(problem);
    if (status || given)
        return status ? status : choose(&contest, mapper, given, choice);
    int32_t *row_major = caucus_array(problem->grid.size, sizeof *row_major);
    if (!row_major)
        return CAUCUS_NO_MEMORY;
    status = caucus_grid_map_row_major(problem, row_major);
    if (!status)
        status = choose(&contest, mapper, row_major, choice);
    free(row_major);
    return status;
}

void caucus_grid_choice_free(struct caucus_grid_choice *choice) {
    free(choice->best.node_of_cell);
    free(choice->keeping.node_of_cell);
    memset(choice, 0, sizeof *choice);
}
