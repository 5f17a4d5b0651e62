/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/within.h"

#include "api/grid/measure.h"
#include "base/status.h"
#include "plan/grid/place.h"
#include "run/agree.h"
#include "run/exchange.h"

#include <string.h>

/* Traffic between the parts of each level. */
struct cuts {
    double before[CAUCUS_INNER_LEVELS], after[CAUCUS_INNER_LEVELS];
};

/* The node's own; its ranks take its cells in ascending order before. Leaders only, local. */
static int cut_node(const struct caucus_grid_request *request,
                    const struct caucus_attachment *attachment,
                    const struct caucus_grid_placement *placement, struct cuts *cuts) {
    const int32_t *parts[CAUCUS_INNER_LEVELS];
    int status = CAUCUS_OK, count = placement->count;
    for (int level = 0; level < attachment->levels; level++)
        parts[level] = attachment->part_of_local[level];
    if (attachment->levels > 0)
        status = caucus_grid_place(&request->grid, &request->stencil, count, placement->cells,
                                   attachment->levels, parts, placement->scratch);
    for (int level = 0; level < attachment->levels && !status; level++) {
        status = caucus_grid_place_cut(&request->grid, &request->stencil, count, placement->cells,
                                       parts[level], &cuts->before[level]);
        if (!status)
            status = caucus_grid_place_cut(&request->grid, &request->stencil, count,
                                           placement->scratch, parts[level], &cuts->after[level]);
    }
    return status;
}

static bool pays(const struct caucus_grid_request *request, const struct cuts *cuts) {
    bool any = false;
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        any = any || caucus_grid_pays(request, cuts->before[level], cuts->after[level]);
    return any;
}

/* Leaders only. Both placements cost the same between nodes. */
static int decide(const struct caucus_grid_request *request,
                  const struct caucus_attachment *attachment,
                  struct caucus_grid_placement *placement, struct cuts *cuts) {
    struct caucus_grid_outcome *outcome = &placement->outcome;
    caucus_cart_report_data *report = &outcome->report;
    int status = caucus_sum_leaders(attachment, cuts->before, CAUCUS_INNER_LEVELS);
    if (!status)
        status = caucus_sum_leaders(attachment, cuts->after, CAUCUS_INNER_LEVELS);
    if (!status)
        status = caucus_grid_measure(attachment, &request->grid, &request->stencil,
                                     placement->count, placement->cells, &report->given);
    if (status || attachment->rank != 0)
        return status;
    report->placed = report->given;
    outcome->moved = pays(request, cuts);
    if (outcome->moved)
        strcpy(report->mapper, "within-node");
    return CAUCUS_OK;
}

int caucus_grid_trade_within(const struct caucus_grid_request *request,
                             const struct caucus_attachment *attachment,
                             struct caucus_grid_placement *placement) {
    struct cuts cuts = {0};
    int status =
        caucus_grid_collect(attachment, placement->cell, &placement->count, placement->cells);
    if (!status && attachment->local_rank == 0)
        status = cut_node(request, attachment, placement, &cuts);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status && attachment->local_rank == 0)
        status = decide(request, attachment, placement, &cuts);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status
                  : caucus_share(attachment, &placement->outcome, sizeof placement->outcome);
}
