/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/rank0.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell that a mirror image takes to cell 0. */
struct way {
    unsigned mask;
    int origin[CAUCUS_GRID_MAX_DIMS];
};

static int32_t size_of(const struct caucus_grid_problem *problem, int32_t node) {
    return caucus_nodes_size(&problem->nodes, node);
}

/* The first that belongs to a node of the size of node 0. */
static bool find(const struct caucus_grid_problem *problem, const struct caucus_mirrors *mirrors,
                 const int32_t *node_of_cell, struct way *way) {
    const struct caucus_grid *grid = &problem->grid;
    for (int i = 0; i < mirrors->count; i++) {
        way->mask = mirrors->mask[i];
        caucus_mirror_first(grid, way->mask, way->origin);
        do {
            int32_t node = node_of_cell[caucus_grid_cell(grid, way->origin)];
            if (size_of(problem, node) == size_of(problem, 0))
                return true;
        } while (caucus_mirror_next(grid, way->origin));
    }
    return false;
}

bool caucus_rank0_can_keep(const struct caucus_grid_problem *problem,
                           const struct caucus_mirrors *mirrors, const int32_t *node_of_cell) {
    struct way way;
    return find(problem, mirrors, node_of_cell, &way);
}

int caucus_rank0_keep(const struct caucus_grid_problem *problem,
                      const struct caucus_mirrors *mirrors, int32_t *node_of_cell, bool *kept) {
    const struct caucus_grid *grid = &problem->grid;
    struct way way;
    *kept = find(problem, mirrors, node_of_cell, &way);
    if (!*kept)
        return CAUCUS_OK;
    int64_t origin = caucus_grid_cell(grid, way.origin);
    int32_t other = node_of_cell[origin];
    if (origin > 0 || way.mask) {
        int32_t *old = caucus_array_copy(node_of_cell, grid->size, sizeof *old);
        int at[CAUCUS_GRID_MAX_DIMS] = {0};
        if (!old)
            return CAUCUS_NO_MEMORY;
        for (int64_t cell = 0; cell < grid->size; cell++) {
            node_of_cell[caucus_mirror_cell(grid, way.mask, way.origin, at)] = old[cell];
            caucus_grid_next(grid, at);
        }
        free(old);
    }
    for (int64_t cell = 0; cell < grid->size && other; cell++)
        if (node_of_cell[cell] == 0 || node_of_cell[cell] == other)
            node_of_cell[cell] = other - node_of_cell[cell];
    return CAUCUS_OK;
}

int caucus_rank0_parse(const char *name, const char *text, double *most) {
    char *end;
    if (strcmp(text, "always") == 0 || strcmp(text, "never") == 0) {
        *most = *text == 'a' ? INFINITY : -1;
        return CAUCUS_OK;
    }
    *most = caucus_number_read(text, &end);
    if (end == text || *end || !(*most >= 0 && isfinite(*most)))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%s is '%.60s': it must be a number, at least 0, or always or never",
                           name, text);
    return CAUCUS_OK;
}

static double rise(double value, double than) {
    if (value <= than * (1 + 1e-12)) /* differences in the last bits are none */
        return 0;
    return than > 0 ? (value - than) / than : INFINITY;
}

double caucus_rank0_cost(double jsum, double jmax, double than_jsum, double than_jmax) {
    return fmax(rise(jsum, than_jsum), rise(jmax, than_jmax));
}

bool caucus_rank0_cheaper(const struct caucus_grid_score *a, const struct caucus_grid_score *b,
                          const struct caucus_grid_score *than) {
    double of_a = caucus_rank0_cost(a->jsum, a->jmax, than->jsum, than->jmax);
    double of_b = caucus_rank0_cost(b->jsum, b->jmax, than->jsum, than->jmax);
    return of_a < of_b || (of_a == of_b && caucus_grid_better(a, b));
}
