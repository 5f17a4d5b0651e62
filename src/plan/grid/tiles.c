/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles: one box per node, the best of all shapes. Nodecart (nodecart.c) takes one way to spread
 * the factors of the node size over the axes; this tries all boxes whose sides divide the grid's,
 * and takes the least weight between nodes, then the least of the worst node, then the
 * lexicographically smallest shape.
 * Limits: nodes of equal size, for which such a box exists. O(size + boxes * stencil): the edges
 * are counted in closed form (tile.c). */
#include "base/status.h"
#include "plan/grid/mapper.h"
#include "plan/grid/tile.h"

#include <math.h>
#include <string.h>

struct search {
    const struct caucus_grid_problem *problem;
    int tile[CAUCUS_GRID_MAX_DIMS];
    int best[CAUCUS_GRID_MAX_DIMS];
    struct caucus_grid_score score; /* of best; jsum is infinite until there is one */
};

static void judge(struct search *search) {
    const struct caucus_grid *grid = &search->problem->grid;
    const struct caucus_stencil *stencil = &search->problem->stencil;
    struct caucus_grid_score score = {.jsum = caucus_tile_jsum(grid, stencil, search->tile),
                                      .jmax = search->score.jmax};
    score.total = score.jsum;
    if (caucus_grid_better(&search->score, &score))
        return;
    score.jmax = caucus_tile_jmax(grid, stencil, search->tile);
    if (!caucus_grid_better(&score, &search->score))
        return;
    search->score = score;
    memcpy(search->best, search->tile, sizeof search->best);
}

static int greatest_common_divisor(int a, int b) {
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

/* Chooses the sides from axis on, the least first; their product is to be volume. */
static void extend(struct search *search, int axis, int volume) {
    const struct caucus_grid *grid = &search->problem->grid;
    if (axis == grid->ndims) {
        if (volume == 1)
            judge(search);
        return;
    }
    int common = greatest_common_divisor(grid->dims[axis], volume), root = 1;
    while (root + 1 <= common / (root + 1))
        root++;
    /* the divisors up to the square root, then their partners above it */
    for (int i = 1; i <= 2 * root; i++) {
        int side = i <= root ? i : 2 * root + 1 - i;
        if (common % side || (i > root && common / side == side))
            continue;
        search->tile[axis] = i <= root ? side : common / side;
        extend(search, axis + 1, volume / search->tile[axis]);
    }
}

int caucus_grid_map_tiles(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    struct search search = {.problem = problem, .score.jsum = INFINITY};
    if (!problem->nodes.equal)
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "tiles need nodes of equal size");
    extend(&search, 0, problem->nodes.equal);
    if (isinf(search.score.jsum))
        return caucus_fail(CAUCUS_NOT_APPLICABLE,
                           "no box of %d cells has sides that divide those of the grid",
                           problem->nodes.equal);
    caucus_tile_fill(&problem->grid, search.best, node_of_cell);
    return CAUCUS_OK;
}
