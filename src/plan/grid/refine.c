/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing of a mapping (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated
 * Annealing", Science, 1983) in which node sizes are soft: a cell may join the node of a neighbour
 * at a penalty that grows with the sizes' errors and from sweep to sweep. Sizes are made exact at
 * the end (repair.c).
 *
 *     temperature: from the given one to 0.12, penalty: from 0.3 to 1.5, both geometrically
 *     sweep: for each cell, B = the node of a neighbour taken at random, A = its own:
 *            change = w(cell, A) - w(cell, B) + 2 penalty (1 + error(B) - error(A))
 *            accept if change <= 0 or with probability exp(-change / temperature)
 *
 * All sums are whole numbers, in units of 1/65536 of the mean weight, and a move is accepted by a
 * table of logarithms rounded alike: so the outcome depends on the seed alone, neither on the
 * compiler nor on its optimisation. O(size * stencil) memory, a few ns per cell and sweep. */
#include "plan/grid/refine.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THRESHOLDS = 1024 };

static const double LAST_TEMPERATURE = 0.12, FIRST_PENALTY = 0.3, PENALTY_GROWTH = 5;

struct node_state {
    int32_t cells, error; /* error: cells beyond the size */
};

struct annealing {
    struct caucus_cell_graph graph;
    int32_t *node_of_cell; /* cells + 1 entries, the last -1 */
    struct node_state *node;
    int64_t threshold[THRESHOLDS]; /* -ln of a uniform random number, one of as many */
    uint64_t random;
};

static int64_t fixed(double number) {
    return llround(number * CAUCUS_WEIGHT_UNIT);
}

static void sweep(struct annealing *annealing, int64_t temperature, int64_t penalty) {
    const struct caucus_cell_graph graph = annealing->graph;
    int32_t *node_of_cell = annealing->node_of_cell;
    struct node_state *node = annealing->node;
    uint64_t random = annealing->random;
    for (int64_t cell = 0; cell < graph.cells; cell++) {
        struct caucus_cell_links links = caucus_links_of_cell(&graph, cell);
        uint64_t word = caucus_mix(random);
        random += CAUCUS_MIX_STEP;
        if (links.count == 0)
            continue;
        uint64_t link = ((word & 0xffffffffu) * (uint64_t)links.count) >> 32;
        int32_t here = node_of_cell[cell], there = node_of_cell[links.to[link]];
        if (there == here || there < 0 || node[here].cells == 1)
            continue;
        int64_t change = 2 * penalty * (1 + (int64_t)node[there].error - node[here].error);
        for (int i = 0; i < links.count; i++) {
            int32_t other = node_of_cell[links.to[i]];
            change += other == here ? links.weight[i] : 0;
            change -= other == there ? links.weight[i] : 0;
        }
        if (change * CAUCUS_WEIGHT_UNIT > temperature * annealing->threshold[word >> 54])
            continue;
        node_of_cell[cell] = there;
        node[here].cells--, node[here].error--;
        node[there].cells++, node[there].error++;
    }
    annealing->random = random;
}

static void anneal(struct annealing *annealing, double temperature, int sweeps) {
    for (int i = 0; i < THRESHOLDS; i++)
        annealing->threshold[i] = fixed(-log((i + 0.5) / THRESHOLDS));
    for (int i = 0; i < sweeps; i++) {
        double progress = sweeps > 1 ? (double)i / (sweeps - 1) : 1;
        sweep(annealing, fixed(temperature * pow(LAST_TEMPERATURE / temperature, progress)),
              fixed(FIRST_PENALTY * pow(PENALTY_GROWTH, progress)));
    }
}

static int axes_in_use(const struct caucus_grid *grid) {
    int axes = 0;
    for (int axis = 0; axis < grid->ndims; axis++)
        axes += grid->dims[axis] > 1;
    return axes;
}

/* What a cell exchanges along an axis in one direction, on average. */
static double mean_weight(const struct caucus_grid *grid, const struct caucus_stencil *steps) {
    double sum = 0;
    for (int k = 0; k < steps->count; k++)
        sum += steps->weight[k];
    return steps->count > 0 ? sum / (2 * axes_in_use(grid)) : 0;
}

/* Lists the links, with the weights in units of their mean. */
static int make_graph(const struct caucus_grid *grid, const struct caucus_stencil *steps,
                      double mean, int32_t **table, int32_t **weight,
                      struct caucus_cell_graph *graph) {
    *weight = caucus_array(steps->count, sizeof **weight);
    if (caucus_steps_table(grid, steps, table) || !*weight)
        return CAUCUS_NO_MEMORY;
    for (int k = 0; k < steps->count; k++)
        (*weight)[k] = (int32_t)fixed(steps->weight[k] / mean);
    for (int64_t cell = 0; cell < grid->size; cell++)
        for (int k = 0; k < steps->count; k++)
            if ((*table)[cell * steps->count + k] == cell) /* leads nowhere */
                (*table)[cell * steps->count + k] = (int32_t)grid->size;
    *graph = (struct caucus_cell_graph){grid->size, steps->count, *table, *weight, NULL};
    return CAUCUS_OK;
}

/* Copies the start and counts its cells, which need not have the right sizes. */
static int make_nodes(const struct caucus_nodes *nodes, const int32_t *start,
                      struct annealing *annealing) {
    int64_t size = annealing->graph.cells;
    annealing->node = caucus_array(nodes->count, sizeof *annealing->node);
    annealing->node_of_cell = caucus_array(size + 1, sizeof *annealing->node_of_cell);
    if (!annealing->node || !annealing->node_of_cell)
        return CAUCUS_NO_MEMORY;
    for (int64_t cell = 0; cell < size; cell++)
        annealing->node[annealing->node_of_cell[cell] = start[cell]].cells++;
    annealing->node_of_cell[size] = -1;
    for (int32_t node = 0; node < nodes->count; node++)
        annealing->node[node].error = annealing->node[node].cells - caucus_nodes_size(nodes, node);
    return CAUCUS_OK;
}

int caucus_cells_anneal(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                        double temperature, int sweeps, uint64_t seed, int32_t *node_of_cell) {
    struct annealing annealing = {.graph = *graph, .random = seed};
    int status = make_nodes(nodes, node_of_cell, &annealing);
    if (!status) {
        anneal(&annealing, temperature, sweeps);
        status = caucus_grid_repair(graph, nodes, annealing.node_of_cell);
    }
    if (!status)
        memcpy(node_of_cell, annealing.node_of_cell, (size_t)graph->cells * sizeof *node_of_cell);
    free(annealing.node);
    free(annealing.node_of_cell);
    return status;
}

int caucus_grid_anneal(const struct caucus_grid_problem *problem, double temperature, int sweeps,
                       uint64_t seed, int32_t *node_of_cell) {
    struct caucus_cell_graph graph;
    struct caucus_stencil steps;
    int32_t *table = NULL, *weight = NULL;
    if (!(temperature > 0 && temperature <= 1000) || sweeps < 0)
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "annealing of %d sweeps from temperature %g: it takes 0 or more, from above 0 to 1000",
            sweeps, temperature);
    int status = caucus_steps_init(&problem->grid, &problem->stencil, &steps);
    double mean = status ? 0 : mean_weight(&problem->grid, &steps);
    bool serves = mean > 0 && isfinite(mean);
    if (serves)
        status = make_graph(&problem->grid, &steps, mean, &table, &weight, &graph);
    if (serves && !status)
        status =
            caucus_cells_anneal(&graph, &problem->nodes, temperature, sweeps, seed, node_of_cell);
    caucus_stencil_free(&steps);
    free(table);
    free(weight);
    return status;
}

int caucus_grid_anneal_sweeps(const struct caucus_grid_problem *problem) {
    enum { WORTH_WHILE = 10, MOST_SWEEPS = 3000, RUNS = 6, USUAL_OFFSETS = 8 };
    const double visits = 2e7; /* of cells in all runs: about 0.1 s */
    int64_t size = problem->grid.size;
    int axes = axes_in_use(&problem->grid);
    if (problem->nodes.count == 1 || problem->nodes.count == size || size >= 1000000 ||
        (axes <= 2 && size >= 100000))
        return 0;
    double offsets = fmax(problem->stencil.count, USUAL_OFFSETS);
    double sweeps = visits / RUNS / (double)size * USUAL_OFFSETS / offsets;
    return sweeps < WORTH_WHILE ? 0 : (int)fmin(sweeps, MOST_SWEEPS);
}
