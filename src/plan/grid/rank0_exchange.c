/* SPDX-License-Identifier: BSD-3-Clause */
/* Cell `end`, which a mirror image can take to cell 0, and cell `other` of a node that has the size
 * of node 0 change places. With T(c, n) the weight that ties cell c to node n, A the node of `end`
 * and B that of `other`, the cut grows by
 *
 *     T(end, A) - T(end, B) + T(other, B) - T(other, A) + 2 * the weight between both
 *
 * All cells are tried as `other`, but of the ends only the few that are tied least: corners are
 * eight in three dimensions. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/rank0.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENDS = 8 };

struct end {
    int64_t cell;
    double tie;
};

struct exchange {
    const struct caucus_grid_problem *problem;
    const int32_t *node_of_cell;
    struct caucus_stencil steps;
    int count;
    struct end end[MOST_ENDS]; /* the least tied first */
    double *tie;               /* [nodes] of the end at work */
    int64_t best_end, best_other;
    double least;
};

/* The cell that step k leads to, -1 for none and for the cell itself. */
static int64_t follow(const struct exchange *exchange, int64_t cell, const int *at, int k) {
    int64_t neighbor = caucus_grid_neighbor(&exchange->problem->grid, at,
                                            caucus_stencil_offset(&exchange->steps, k));
    return neighbor == cell ? -1 : neighbor;
}

/* Whether a node may change its whole role with node 0. */
static bool serves(const struct exchange *exchange, int32_t node) {
    const struct caucus_nodes *nodes = &exchange->problem->nodes;
    return caucus_nodes_size(nodes, node) == caucus_nodes_size(nodes, 0);
}

/* What ties an end to its node, less what draws it to nodes that serve. */
static double weigh_end(const struct exchange *exchange, int64_t cell, const int *at) {
    double tie = 0;
    for (int k = 0; k < exchange->steps.count; k++) {
        int64_t neighbor = follow(exchange, cell, at, k);
        if (neighbor < 0)
            continue;
        int32_t node = exchange->node_of_cell[neighbor];
        if (node == exchange->node_of_cell[cell])
            tie += exchange->steps.weight[k];
        else if (serves(exchange, node))
            tie -= exchange->steps.weight[k];
    }
    return tie;
}

static void enter_end(struct exchange *exchange, int64_t cell, double tie) {
    bool full = exchange->count == MOST_ENDS;
    if (full && exchange->end[MOST_ENDS - 1].tie <= tie)
        return;
    int place = full ? MOST_ENDS - 1 : exchange->count++;
    for (; place > 0 && exchange->end[place - 1].tie > tie; place--)
        exchange->end[place] = exchange->end[place - 1];
    exchange->end[place] = (struct end){cell, tie};
}

static void choose_ends(struct exchange *exchange, const struct caucus_mirrors *mirrors) {
    const struct caucus_grid *grid = &exchange->problem->grid;
    for (int i = 0; i < mirrors->count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_mirror_first(grid, mirrors->mask[i], at);
        do {
            int64_t cell = caucus_grid_cell(grid, at);
            enter_end(exchange, cell, weigh_end(exchange, cell, at));
        } while (caucus_mirror_next(grid, at));
    }
}

/* What an exchange of the end at work with this cell adds to the cut. */
static double weigh(const struct exchange *exchange, int64_t end, int64_t other, const int *at) {
    int32_t a = exchange->node_of_cell[end], b = exchange->node_of_cell[other];
    double growth = exchange->tie[a] - exchange->tie[b];
    for (int k = 0; k < exchange->steps.count; k++) {
        int64_t neighbor = follow(exchange, other, at, k);
        if (neighbor < 0)
            continue;
        double weight = exchange->steps.weight[k];
        int32_t node = exchange->node_of_cell[neighbor];
        growth += node == b ? weight : node == a ? -weight : 0;
        growth += neighbor == end ? 2 * weight : 0;
    }
    return growth;
}

static void set_ties(struct exchange *exchange, int64_t end, bool set) {
    int at[CAUCUS_GRID_MAX_DIMS];
    caucus_grid_coordinates(&exchange->problem->grid, end, at);
    for (int k = 0; k < exchange->steps.count; k++) {
        int64_t neighbor = follow(exchange, end, at, k);
        if (neighbor >= 0) {
            double *tie = &exchange->tie[exchange->node_of_cell[neighbor]];
            *tie = set ? *tie + exchange->steps.weight[k] : 0;
        }
    }
}

static void try_end(struct exchange *exchange, int64_t end) {
    const struct caucus_grid *grid = &exchange->problem->grid;
    int at[CAUCUS_GRID_MAX_DIMS] = {0};
    set_ties(exchange, end, true);
    for (int64_t other = 0; other < grid->size; other++) {
        if (serves(exchange, exchange->node_of_cell[other])) {
            double growth = weigh(exchange, end, other, at);
            if (growth < exchange->least) {
                exchange->least = growth;
                exchange->best_end = end;
                exchange->best_other = other;
            }
        }
        caucus_grid_next(grid, at);
    }
    set_ties(exchange, end, false);
}

int caucus_rank0_exchange(const struct caucus_grid_problem *problem,
                          const struct caucus_mirrors *mirrors, int32_t *node_of_cell) {
    struct exchange exchange = {
        .problem = problem, .node_of_cell = node_of_cell, .least = INFINITY};
    int status = caucus_steps_init(&problem->grid, &problem->stencil, &exchange.steps);
    if (status)
        return status;
    exchange.tie = caucus_array(problem->nodes.count, sizeof *exchange.tie);
    if (!exchange.tie)
        status = CAUCUS_NO_MEMORY;
    if (!status) {
        choose_ends(&exchange, mirrors);
        for (int i = 0; i < exchange.count; i++)
            try_end(&exchange, exchange.end[i].cell);
        int32_t node = node_of_cell[exchange.best_end];
        node_of_cell[exchange.best_end] = node_of_cell[exchange.best_other];
        node_of_cell[exchange.best_other] = node;
    }
    free(exchange.tie);
    caucus_stencil_free(&exchange.steps);
    return status;
}
