/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of grid mappers. One file each; the table feeds the portfolio, the command line and the
 * documentation. */
#ifndef CAUCUS_PLAN_GRID_MAPPER_H
#define CAUCUS_PLAN_GRID_MAPPER_H

#include "plan/grid/problem.h"

/* Writes the node of every cell (problem->grid.size entries), each node as often as it has ranks.
 * Pure and deterministic. CAUCUS_NOT_APPLICABLE, with the reason as text, where it does not serve.
 */
typedef int caucus_grid_map_function(const struct caucus_grid_problem *problem,
                                     int32_t *node_of_cell);

struct caucus_grid_mapper {
    const char *name;    /* what --mapper and CAUCUS_CART_MAPPER say */
    const char *summary; /* one line: idea, source, limits, cost */
    caucus_grid_map_function *map;
};

/* In the order in which ties are broken; NULL beyond the end. */
const struct caucus_grid_mapper *caucus_grid_mapper_entry(int index);
const struct caucus_grid_mapper *caucus_grid_mapper_find(const char *name);

caucus_grid_map_function caucus_grid_map_row_major; /* consecutive ranks, what MPI does */
caucus_grid_map_function caucus_grid_map_slabs; /* nested slabs, best of all axis and node orders */
caucus_grid_map_function caucus_grid_map_multijagged;
caucus_grid_map_function caucus_grid_map_nodecart; /* Gropp's, exactly as published */
caucus_grid_map_function caucus_grid_map_tiles;    /* nodecart with the best of all tiles */
caucus_grid_map_function caucus_grid_map_hyperplane;
caucus_grid_map_function caucus_grid_map_kdtree;
caucus_grid_map_function caucus_grid_map_strips;

#endif
