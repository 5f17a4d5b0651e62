/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic of a placement, added up by the leaders of the nodes. */
#include "api/grid/placement.h"

#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "run/attachment/exchange.h"

#include <math.h>

int caucus_grid_collect(const struct caucus_attachment *attachment, int64_t cell, int *count,
                        int64_t *cells) {
    int status = caucus_gather_node(attachment, cell, cells);
    *count = 0;
    if (status || attachment->local_rank != 0)
        return status;
    for (int i = 0; i < attachment->local_size; i++)
        if (cells[i] >= 0)
            cells[(*count)++] = cells[i];
    caucus_sort_cells(*count, cells);
    return CAUCUS_OK;
}

int caucus_grid_add_shares(const struct caucus_attachment *attachment,
                           const struct caucus_grid_share *share, caucus_cart_traffic *traffic) {
    double sums[] = {share->leaving, share->total, (double)share->on, (double)share->off,
                     (double)share->cells};
    double none = share->cells == 0 ? -INFINITY : 0; /* a node without cells has no least */
    double highest[] = {none + share->leaving, none - share->on_min, none + share->on_max,
                        none - share->off_min, none + share->off_max};
    int status = caucus_reduce_leaders(attachment, sums, 5, MPI_SUM);
    if (!status)
        status = caucus_reduce_leaders(attachment, highest, 5, MPI_MAX);
    if (!status && attachment->rank == 0)
        *traffic = (caucus_cart_traffic){.off_node = sums[0],
                                         .off_node_worst = highest[0],
                                         .all = sums[1],
                                         .on_min = (int)-highest[1],
                                         .on_max = (int)highest[2],
                                         .off_min = (int)-highest[3],
                                         .off_max = (int)highest[4],
                                         .on_mean = sums[2] / sums[4],
                                         .off_mean = sums[3] / sums[4]};
    return status;
}

int caucus_grid_measure(const struct caucus_attachment *attachment, const struct caucus_grid *grid,
                        const struct caucus_stencil *stencil, int count, const int64_t *cells,
                        caucus_cart_traffic *traffic) {
    struct caucus_grid_share share;
    caucus_grid_evaluate_share(grid, stencil, count, cells, &share);
    return caucus_grid_add_shares(attachment, &share, traffic);
}

int caucus_grid_measure_ranks(const struct caucus_attachment *attachment,
                              const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                              int64_t cell, int64_t *cells, caucus_cart_traffic *traffic) {
    int count, status = caucus_grid_collect(attachment, cell, &count, cells);
    return status || attachment->local_rank != 0
               ? status
               : caucus_grid_measure(attachment, grid, stencil, count, cells, traffic);
}
