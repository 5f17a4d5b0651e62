/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/mapper.h"

#include <string.h>

static const struct caucus_grid_mapper table[] = {
    {"row-major",
     "ranks, node by node, take the cells row by row: MPI's own order where nodes hold consecutive "
     "ranks; any case, O(size)",
     caucus_grid_map_row_major},
    {"slabs",
     "nested slabs by dynamic programming, the best of all axis and node orders; any case, closed "
     "form",
     caucus_grid_map_slabs},
    {"multijagged",
     "even jagged cuts, the best of all axis orders and group numbers (after Boman et al., TPDS "
     "2016); at most 64 nodes, about 0.1 s at most",
     caucus_grid_map_multijagged},
    {"nodecart",
     "a box per node, shaped by the prime factors of the node size (Gropp, EuroMPI 2018); equal "
     "nodes whose factors fit, O(size)",
     caucus_grid_map_nodecart},
    {"tiles",
     "a box per node, the best of all shapes that divide the grid; equal nodes, O(size + boxes * "
     "stencil)",
     caucus_grid_map_tiles},
    {"hyperplane",
     "near-equal cuts that leave whole nodes on both sides (von Kirchbach et al., CLUSTER 2020); "
     "made for equal nodes, O(size)",
     caucus_grid_map_hyperplane},
    {"kdtree",
     "halving down to single cells, leaves taken in order (von Kirchbach et al., CLUSTER 2020); "
     "any case, O(size)",
     caucus_grid_map_kdtree},
    {"strips",
     "strips along the longest axis, walked to and fro and cut consecutively (von Kirchbach et "
     "al., CLUSTER 2020); any case, O(size)",
     caucus_grid_map_strips},
};

enum { COUNT = sizeof table / sizeof *table };

const struct caucus_grid_mapper *caucus_grid_mapper_entry(int index) {
    return index >= 0 && index < COUNT ? &table[index] : NULL;
}

const struct caucus_grid_mapper *caucus_grid_mapper_find(const char *name) {
    for (int index = 0; index < COUNT; index++)
        if (strcmp(table[index].name, name) == 0)
            return &table[index];
    return NULL;
}
