/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner against METIS, a partitioner of general graphs, on the published list of grids:
 *     plan_metis [LIST [COUNT]]
 * METIS gets the exact graph, the sizes of the nodes as target weights and the tightest balance it
 * takes; the better of its two methods counts, after its sizes were made exact by the planner's own
 * repair. Grids with one cell a node are left out, and those that METIS leaves a node empty on. */
#include "base/memory.h"
#include "common/case_list.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/refine.h"

#include <metis.h>

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit numbers is needed");

/* A grid as METIS wants it (rows of unequal length), and as the repair does (a table). */
struct graph {
    struct caucus_stencil steps;
    int32_t *table, *weight;
    idx_t *row, *neighbor;
    real_t *share;
};

static void graph_free(struct graph *graph) {
    caucus_stencil_free(&graph->steps);
    free(graph->table);
    free(graph->weight);
    free(graph->row);
    free(graph->neighbor);
    free(graph->share);
}

/* The repair's links to nowhere are to a cell beyond the last. */
static void fill(const struct caucus_grid_problem *problem, struct graph *graph) {
    int64_t size = problem->grid.size;
    idx_t links = 0;
    for (int64_t cell = 0; cell < size; cell++) {
        for (int k = 0; k < graph->steps.count; k++) {
            int32_t *link = &graph->table[cell * graph->steps.count + k];
            if (*link == cell)
                *link = (int32_t)size;
            else
                graph->neighbor[links++] = *link;
        }
        graph->row[cell + 1] = links;
    }
    for (int k = 0; k < graph->steps.count; k++)
        graph->weight[k] = CAUCUS_WEIGHT_UNIT;
    for (int32_t node = 0; node < problem->nodes.count; node++)
        graph->share[node] = (real_t)caucus_nodes_size(&problem->nodes, node) / (real_t)size;
}

static int graph_init(const struct caucus_grid_problem *problem, struct graph *graph) {
    int64_t size = problem->grid.size;
    memset(graph, 0, sizeof *graph);
    int status = caucus_steps_init(&problem->grid, &problem->stencil, &graph->steps);
    if (!status)
        status = caucus_steps_table(&problem->grid, &graph->steps, &graph->table);
    graph->weight = caucus_array(graph->steps.count, sizeof *graph->weight);
    graph->row = caucus_array(size + 1, sizeof *graph->row);
    graph->neighbor = caucus_array(size * graph->steps.count, sizeof *graph->neighbor);
    graph->share = caucus_array(problem->nodes.count, sizeof *graph->share);
    if (!status && !(graph->weight && graph->row && graph->neighbor && graph->share))
        status = CAUCUS_NO_MEMORY;
    if (!status)
        fill(problem, graph);
    return status;
}

static bool fills_all(const struct caucus_grid_problem *problem, const int32_t *node_of_cell) {
    int32_t *cells = caucus_array(problem->nodes.count, sizeof *cells), empty = 0;
    for (int64_t cell = 0; cells && cell < problem->grid.size; cell++)
        cells[node_of_cell[cell]]++;
    for (int32_t node = 0; cells && node < problem->nodes.count; node++)
        empty += cells[node] == 0;
    bool fine = cells && empty == 0;
    free(cells);
    return fine;
}

/* jsum of one of METIS's methods; 1e300 where it leaves a node empty. */
static double partition(const struct caucus_grid_problem *problem, struct graph *graph,
                        bool recursive) {
    idx_t cells = (idx_t)problem->grid.size, constraints = 1, parts = problem->nodes.count, cut;
    idx_t options[METIS_NOPTIONS];
    int32_t *node_of_cell = caucus_array(problem->grid.size + 1, sizeof *node_of_cell);
    struct caucus_cell_graph links = {problem->grid.size, graph->steps.count, graph->table,
                                      graph->weight, NULL};
    struct caucus_grid_score score = {.jsum = 1e300};
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = 1;
    options[METIS_OPTION_NCUTS] = 4;
    options[METIS_OPTION_SEED] = 1;
    int (*method)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, real_t *,
                  real_t *, idx_t *, idx_t *, idx_t *) =
        recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
    bool fine =
        node_of_cell && method(&cells, &constraints, graph->row, graph->neighbor, NULL, NULL, NULL,
                               &parts, graph->share, NULL, options, &cut, node_of_cell) == METIS_OK;
    if (fine && fills_all(problem, node_of_cell)) {
        node_of_cell[problem->grid.size] = -1;
        if (!caucus_grid_repair(&links, &problem->nodes, node_of_cell) &&
            !caucus_grid_check_sizes(problem, node_of_cell))
            caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell,
                                 problem->nodes.count, &score);
    }
    free(node_of_cell);
    return score.jsum;
}

struct tally {
    int cases, better, equal, worse;
    double excess; /* sum of METIS over ours, minus one */
};

static int compare(const struct caucus_grid_problem *problem, struct tally *tally) {
    struct graph graph;
    struct caucus_grid_choice choice = {0};
    int status = graph_init(problem, &graph);
    if (!status)
        status = caucus_grid_choose(problem, "best", NULL, false, &choice);
    if (!status && choice.best.score.jsum > 0) {
        double kway = partition(problem, &graph, false);
        double recursive = partition(problem, &graph, true);
        double metis = kway < recursive ? kway : recursive;
        if (metis < 1e300) {
            tally->cases++;
            tally->better += choice.best.score.jsum < metis;
            tally->equal += choice.best.score.jsum == metis;
            tally->worse += choice.best.score.jsum > metis;
            tally->excess += metis / choice.best.score.jsum - 1;
        }
    }
    caucus_grid_choice_free(&choice);
    graph_free(&graph);
    return status;
}

int main(int argc, char **argv) {
    struct case_list list;
    struct tally tally = {0};
    int status = case_list_read(&list, argc > 1 ? argv[1] : "bench/cases/star-cases.txt");
    int64_t count = argc > 2 ? strtoll(argv[2], NULL, 10) : list.count;
    for (int64_t i = 0; i < count && i < list.count && !status; i++) {
        const struct caucus_grid_problem *problem = &list.entry[i * list.count / count].problem;
        if (problem->nodes.equal != 1)
            status = compare(problem, &tally);
    }
    if (status)
        fprintf(stderr, "plan_metis: %s\n", caucus_error_text());
    else
        printf("%d grids: the planner has fewer bytes between nodes than METIS on %d, as many on "
               "%d, more on %d;\nMETIS has %.1f %% more on average\n",
               tally.cases, tally.better, tally.equal, tally.worse,
               100 * tally.excess / (tally.cases > 0 ? tally.cases : 1));
    case_list_free(&list);
    return status ? 1 : 0;
}
