/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/distributed.h"
#include "base/status.h"
#include "plan/grid/cluster.h"
#include "plan/grid/rank0.h"
#include "run/attachment/exchange.h"

#include <math.h>
#include <string.h>

enum { NONE = -1 };

/* The least that any leader has, on all of them; NONE if all have an infinite one. */
static int find_least(const struct caucus_attachment *attachment, double number, int64_t *least) {
    int status = caucus_reduce_leaders(attachment, &number, 1, MPI_MIN);
    *least = isfinite(number) ? (int64_t)number : NONE;
    return status ? status : caucus_bcast_leaders(attachment, least, 1);
}

/* Which mirror image, and which cell of this node, which may get the role of node 0: as one number,
 * the first choice the least; infinite if there is none. */
static double find_way(const struct caucus_grid_table *table,
                       const struct caucus_grid_placement *placement) {
    const struct caucus_grid *grid = &placement->request->grid;
    const int32_t *taken = table->candidate.taken;
    if (taken[0] == 0 || taken[placement->attachment->node_index] != taken[0])
        return INFINITY;
    for (int i = 0; i < table->mirrors.count; i++)
        for (int k = 0; k < placement->count; k++) {
            int at[CAUCUS_GRID_MAX_DIMS];
            caucus_grid_coordinates(grid, placement->cells[k], at);
            if (caucus_mirror_reaches(grid, table->mirrors.mask[i], at))
                return (double)i * (double)grid->size + (double)placement->cells[k];
        }
    return INFINITY;
}

static void look_through(const struct caucus_grid *grid, unsigned mask, int64_t origin,
                         struct caucus_grid_placement *placement) {
    int from[CAUCUS_GRID_MAX_DIMS], at[CAUCUS_GRID_MAX_DIMS];
    caucus_grid_coordinates(grid, origin, from);
    for (int k = 0; k < placement->count; k++) {
        caucus_grid_coordinates(grid, placement->cells[k], at);
        placement->cells[k] = caucus_mirror_cell(grid, mask, from, at);
    }
    caucus_sort_cells(placement->count, placement->cells);
}

int caucus_grid_keep_rank0(const struct caucus_grid_table *table,
                           struct caucus_grid_placement *placement, bool *kept) {
    const struct caucus_attachment *attachment = placement->attachment;
    const struct caucus_grid *grid = &placement->request->grid;
    const int32_t *number = table->candidate.number;
    double own = find_way(table, placement);
    int64_t way, owner = NONE;
    int32_t node = attachment->node_index;
    *kept = false;
    int status = find_least(attachment, own, &way);
    if (!status && way != NONE)
        status =
            find_least(attachment, own == (double)way ? (double)node : (double)INFINITY, &owner);
    if (status || owner == NONE)
        return status;
    if (node == 0 && owner != 0)
        caucus_grid_look_up(table, number[owner], placement);
    else if (node == owner && owner != 0)
        caucus_grid_look_up(table, number[0], placement);
    if (way > 0)
        look_through(grid, table->mirrors.mask[way / grid->size], way % grid->size, placement);
    *kept = true;
    return CAUCUS_OK;
}

/* The cell that least ties to its node. */
static int64_t find_loosest(const struct caucus_grid_placement *placement) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_stencil *stencil = &request->stencil;
    int64_t loosest = NONE;
    double least = INFINITY;
    for (int i = 0; i < placement->count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        double tie = 0;
        caucus_grid_coordinates(&request->grid, placement->cells[i], at);
        for (int k = 0; k < stencil->count; k++) {
            int64_t neighbor =
                caucus_grid_neighbor(&request->grid, at, caucus_stencil_offset(stencil, k));
            bool held = caucus_shape_position(placement->count, placement->cells, neighbor) >= 0;
            tie += held ? stencil->weight[k] : 0;
        }
        if (tie < least) {
            least = tie;
            loosest = placement->cells[i];
        }
    }
    return loosest;
}

/* To scratch: the cells of this node after cell 0 and another have changed places. */
static void exchange(struct caucus_grid_placement *placement, int64_t other) {
    int64_t *cells = placement->scratch;
    memcpy(cells, placement->cells, (size_t)placement->count * sizeof *cells);
    for (int i = 0; i < placement->count; i++)
        if (cells[i] == 0 || cells[i] == other)
            cells[i] = other - cells[i];
    caucus_sort_cells(placement->count, cells);
}

/* On rank 0, where the plan would move ranks: whether to take the exchange, which makes this
 * traffic. The other way for rank 0 to stay is that all do. */
static bool accepts(const struct caucus_grid_request *request, const caucus_cart_traffic *traffic,
                    caucus_cart_report_data *report) {
    const caucus_cart_traffic *given = &report->given, *placed = &report->placed;
    double cost = INFINITY, stay = caucus_rank0_cost(given->off_node, given->off_node_worst,
                                                     placed->off_node, placed->off_node_worst);
    if (caucus_grid_pays(request, given->off_node, traffic->off_node))
        cost = caucus_rank0_cost(traffic->off_node, traffic->off_node_worst, placed->off_node,
                                 placed->off_node_worst);
    report->rank0_cost = fmin(cost, stay);
    report->rank0_kept = report->rank0_cost <= request->settings.rank0;
    bool accepted = report->rank0_kept && cost <= stay && isfinite(cost + traffic->off_node);
    if (report->rank0_kept)
        report->placed = accepted ? *traffic : *given;
    return accepted;
}

int caucus_grid_exchange_rank0(const struct caucus_grid_table *table,
                               struct caucus_grid_placement *placement) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    caucus_cart_report_data *report = &placement->outcome.report;
    caucus_cart_traffic traffic = {.off_node = INFINITY};
    int64_t other = NONE, accepted = 0;
    int status = CAUCUS_OK;
    if (table->candidate.taken[0] > 0) {
        if (attachment->rank == 0)
            other = find_loosest(placement);
        status = caucus_bcast_leaders(attachment, &other, 1);
        if (status)
            return status;
        exchange(placement, other);
        status = caucus_grid_measure(attachment, &request->grid, &request->stencil,
                                     placement->count, placement->scratch, &traffic);
    }
    if (!status && attachment->rank == 0 &&
        caucus_grid_pays(request, report->given.off_node, report->placed.off_node))
        accepted = accepts(request, &traffic, report);
    if (!status)
        status = caucus_bcast_leaders(attachment, &accepted, 1);
    if (!status && accepted)
        memcpy(placement->cells, placement->scratch, (size_t)placement->count * sizeof(int64_t));
    return status;
}
