/* SPDX-License-Identifier: BSD-3-Clause */
/* What competes: what was given; the same after exchanges; halves that grow (grow.h); and what the
 * partitioners make of the graph, with its sizes put right (repair.c) and after exchanges. The best
 * two are annealed (refine.h) from two temperatures in turn and exchange once more, more often
 * where there are few vertices. Ties go to the earlier one. */
#include "plan/graph/choose.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/exchange.h"
#include "plan/graph/grow.h"
#include "plan/grid/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"exchanged", "grown", "metis", "scotch", "annealed"};
enum { EXCHANGED, GROWN, ANNEALED = 4, METHODS };

static const double START_TEMPERATURES[] = {0.35, 0.8};

const char *caucus_graph_method(int index) {
    return index < METHODS ? methods[index] : NULL;
}

struct contest {
    const struct caucus_graph_problem *problem;
    struct caucus_ties ties;
    int32_t *weight;                /* of the ties in whole numbers, for the partitioner */
    struct caucus_cell_graph cells; /* and for annealing */
    int32_t *size;                  /* of the nodes */
    struct caucus_graph_choice *choice;
    int32_t *second; /* what is next best, another start for annealing; NULL for none */
    double second_jsum;
    int64_t visits; /* that all exchanges may still make */
};

/* Scales weights such that their mean is the unit of annealing. */
static void weigh_for_annealing(const struct caucus_ties *ties, double sum, int32_t *weight) {
    int64_t count = ties->start[ties->vertices];
    for (int64_t k = 0; k < count; k++)
        weight[k] =
            (int32_t)fmin(1e9, (double)ties->weight[k] * CAUCUS_WEIGHT_UNIT * (double)count / sum);
}

static void weigh_for_partitioner(const struct caucus_ties *ties, double sum, int32_t *weight) {
    int64_t count = ties->start[ties->vertices];
    double scale = fmin(1, (CAUCUS_PARTITION_WEIGHT / 2) / sum); /* rounded up, it may double */
    for (int64_t k = 0; k < count; k++)
        weight[k] = (int32_t)ceil((double)ties->weight[k] * scale);
}

static double sum_of(const struct caucus_ties *ties) {
    double sum = 0;
    for (int64_t k = 0; k < ties->start[ties->vertices]; k++)
        sum += (double)ties->weight[k];
    return sum;
}

/* Takes node_of_vertex over. */
static void keep_second(struct contest *contest, int32_t *node_of_vertex, double jsum) {
    bool better = !contest->second || jsum < contest->second_jsum;
    free(better ? contest->second : node_of_vertex);
    if (!better)
        return;
    contest->second = node_of_vertex;
    contest->second_jsum = jsum;
}

/* Takes node_of_vertex over: the new choice, the second, or freed. */
static int enter(struct contest *contest, const char *method, int32_t *node_of_vertex) {
    const struct caucus_graph_problem *problem = contest->problem;
    struct caucus_graph_choice *choice = contest->choice;
    struct caucus_grid_score score;
    int status =
        caucus_graph_evaluate(problem->graph, node_of_vertex, problem->nodes.count, &score);
    if (status) {
        free(node_of_vertex);
        return status;
    }
    if (!caucus_grid_better(&score, &choice->score)) {
        keep_second(contest, node_of_vertex, score.jsum);
        return CAUCUS_OK;
    }
    keep_second(contest, choice->node_of_vertex, choice->score.jsum);
    choice->node_of_vertex = node_of_vertex;
    choice->score = score;
    choice->method = method;
    return CAUCUS_OK;
}

/* The same after exchanges; it has the right sizes. */
static int exchange_and_enter(struct contest *contest, const char *method,
                              int32_t *node_of_vertex) {
    int status = caucus_exchange_all(&contest->ties, contest->problem->nodes.count, node_of_vertex,
                                     &contest->visits);
    if (!status)
        return enter(contest, method, node_of_vertex);
    free(node_of_vertex);
    return status;
}

static int32_t *copy_of(const struct contest *contest, const int32_t *node_of_vertex) {
    return caucus_array_copy(node_of_vertex, contest->ties.vertices, sizeof(int32_t));
}

static int exchange_given(struct contest *contest) {
    int32_t *copy = copy_of(contest, contest->choice->node_of_vertex);
    return copy ? exchange_and_enter(contest, methods[EXCHANGED], copy) : CAUCUS_NO_MEMORY;
}

static int grow(struct contest *contest) {
    int32_t *made = caucus_array(contest->ties.vertices, sizeof *made);
    if (!made)
        return CAUCUS_NO_MEMORY;
    int status =
        caucus_graph_grow(&contest->ties, contest->problem->nodes.count, contest->size, made);
    if (!status)
        return exchange_and_enter(contest, methods[GROWN], made);
    free(made);
    return status;
}

/* Whether a partitioner has named parts only, and left none empty. */
static bool fills_all(const struct contest *contest, const int32_t *node_of_vertex) {
    int32_t nodes = contest->problem->nodes.count, filled = 0;
    bool *seen = calloc((size_t)nodes, sizeof *seen), good = seen != NULL;
    for (int32_t vertex = 0; vertex < contest->ties.vertices && good; vertex++) {
        int32_t node = node_of_vertex[vertex];
        good = node >= 0 && node < nodes;
        if (good && !seen[node])
            filled++;
        if (good)
            seen[node] = true;
    }
    free(seen);
    return good && filled == nodes;
}

/* A failure of the partitioner's is none of ours. */
static int partition(struct contest *contest, const struct caucus_partitioner *partitioner,
                     int method) {
    const struct caucus_graph_problem *problem = contest->problem;
    const struct caucus_ties *ties = &contest->ties;
    int32_t *made = caucus_array((int64_t)ties->vertices + 1, sizeof *made);
    if (!made)
        return CAUCUS_NO_MEMORY;
    weigh_for_partitioner(ties, sum_of(ties), contest->weight);
    if (!partitioner->partition(ties->vertices, ties->start, ties->to, contest->weight,
                                problem->nodes.count, contest->size, method, made) ||
        !fills_all(contest, made)) {
        free(made);
        return CAUCUS_OK;
    }
    made[ties->vertices] = -1;
    weigh_for_annealing(ties, sum_of(ties), contest->weight);
    int status = caucus_grid_repair(&contest->cells, &problem->nodes, made);
    if (!status)
        return exchange_and_enter(contest, partitioner->name, made);
    free(made);
    return status;
}

static int partition_by_all(struct contest *contest) {
    const struct caucus_partitioner *partitioner = contest->problem->partitioners;
    int status = CAUCUS_OK;
    for (; partitioner && partitioner->name; partitioner++)
        for (int method = 0; method < partitioner->methods && !status; method++)
            if (contest->choice->score.jsum > 0)
                status = partition(contest, partitioner, method);
    return status;
}

/* As much work as annealing of grids is worth. */
static int sweeps_of(const struct caucus_ties *ties) {
    enum { WORTH_WHILE = 10, MOST_SWEEPS = 1000, VISITS = 30000000 };
    double sweeps = VISITS / ((double)ties->vertices + (double)ties->start[ties->vertices]);
    return sweeps < WORTH_WHILE ? 0 : (int)fmin(sweeps, MOST_SWEEPS);
}

static int anneal_from(struct contest *contest, const int32_t *start, int runs, int sweeps) {
    int status = CAUCUS_OK;
    for (int run = 0; run < runs && !status; run++) {
        int32_t *copy = copy_of(contest, start);
        if (!copy)
            return CAUCUS_NO_MEMORY;
        status = caucus_cells_anneal(&contest->cells, &contest->problem->nodes,
                                     START_TEMPERATURES[run % 2], sweeps, (uint64_t)run + 1, copy);
        if (status)
            free(copy);
        else
            status = exchange_and_enter(contest, methods[ANNEALED], copy);
    }
    return status;
}

/* The best two as they stand before. */
static int anneal(struct contest *contest) {
    enum { FEW = 2000, RUNS = 2, RUNS_OF_FEW = 6 };
    int sweeps = sweeps_of(&contest->ties);
    int runs = contest->ties.vertices <= FEW ? RUNS_OF_FEW : RUNS;
    if (sweeps == 0)
        return CAUCUS_OK;
    weigh_for_annealing(&contest->ties, sum_of(&contest->ties), contest->weight);
    int32_t *best = copy_of(contest, contest->choice->node_of_vertex), *second = contest->second;
    contest->second = NULL;
    int status = best ? anneal_from(contest, best, runs, sweeps) : CAUCUS_NO_MEMORY;
    if (!status && second)
        status = anneal_from(contest, second, runs, sweeps);
    free(best);
    free(second);
    return status;
}

static int make_room(struct contest *contest) {
    const struct caucus_nodes *nodes = &contest->problem->nodes;
    int status = caucus_ties_init(contest->problem->graph, &contest->ties);
    if (status)
        return status;
    contest->weight =
        caucus_array(contest->ties.start[contest->ties.vertices], sizeof *contest->weight);
    contest->size = caucus_array(nodes->count, sizeof *contest->size);
    if (!contest->weight || !contest->size)
        return CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < nodes->count; node++)
        contest->size[node] = caucus_nodes_size(nodes, node);
    contest->visits = caucus_exchange_visits(&contest->ties);
    contest->cells = (struct caucus_cell_graph){contest->ties.vertices, 0, contest->ties.to,
                                                contest->weight, contest->ties.start};
    return CAUCUS_OK;
}

static int run(struct contest *contest) {
    int status = make_room(contest);
    if (!status)
        status = exchange_given(contest);
    if (!status && contest->choice->score.jsum > 0)
        status = grow(contest);
    if (!status)
        status = partition_by_all(contest);
    if (!status && contest->choice->score.jsum > 0)
        status = anneal(contest);
    caucus_ties_free(&contest->ties);
    free(contest->second);
    free(contest->weight);
    free(contest->size);
    return status;
}

int caucus_graph_choose(const struct caucus_graph_problem *problem, const int32_t *given,
                        struct caucus_graph_choice *choice) {
    struct contest contest = {.problem = problem, .choice = choice};
    *choice = (struct caucus_graph_choice){.method = "given"};
    int status = caucus_graph_evaluate(problem->graph, given, problem->nodes.count, &choice->given);
    choice->score = choice->given;
    choice->node_of_vertex = caucus_array_copy(given, problem->graph->vertices, sizeof *given);
    if (!status && !choice->node_of_vertex)
        status = CAUCUS_NO_MEMORY;
    bool differs = problem->nodes.count > 1 && problem->nodes.count < problem->graph->vertices;
    if (!status && differs && choice->given.jsum > 0)
        status = run(&contest);
    if (status)
        caucus_graph_choice_free(choice);
    return status;
}

void caucus_graph_choice_free(struct caucus_graph_choice *choice) {
    free(choice->node_of_vertex);
    memset(choice, 0, sizeof *choice);
}
