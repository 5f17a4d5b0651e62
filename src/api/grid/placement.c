/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/placement.h"

#include "api/grid/measure.h"
#include "api/grid/within.h"
#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/grid/place.h"
#include "run/agree.h"
#include "run/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int caucus_grid_placement_init(struct caucus_grid_placement *placement,
                               const struct caucus_attachment *attachment) {
    memset(placement, 0, sizeof *placement);
    placement->outcome.report.nodes = attachment->nodes.count;
    strcpy(placement->outcome.report.mapper, "given");
    if (attachment->local_rank != 0)
        return CAUCUS_OK;
    placement->cells = caucus_array(attachment->local_size, sizeof *placement->cells);
    placement->scratch = caucus_array(attachment->local_size, sizeof *placement->scratch);
    return placement->cells && placement->scratch ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_grid_placement_free(struct caucus_grid_placement *placement) {
    free(placement->cells);
    free(placement->scratch);
    placement->cells = placement->scratch = NULL;
}

bool caucus_grid_pays(const struct caucus_grid_request *request, double given, double placed) {
    return placed < given && placed <= given * (1 - request->settings.threshold);
}

/* The leader hands out the cells of its node; ranks beyond their number get none. */
static int hand_out(const struct caucus_grid_request *request,
                    const struct caucus_attachment *attachment,
                    struct caucus_grid_placement *placement) {
    int status = CAUCUS_OK;
    if (attachment->local_rank == 0) {
        const int32_t *part_of_local[CAUCUS_INNER_LEVELS];
        for (int level = 0; level < attachment->levels; level++)
            part_of_local[level] = attachment->part_of_local[level];
        for (int i = placement->count; i < attachment->local_size; i++)
            placement->scratch[i] = -1;
        if (placement->count > 0)
            status = caucus_grid_place(&request->grid, &request->stencil, placement->count,
                                       placement->cells, attachment->levels, part_of_local,
                                       placement->scratch);
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status : caucus_deal(attachment, placement->scratch, &placement->cell);
}

static int measure(const struct caucus_grid_request *request,
                   const struct caucus_attachment *attachment,
                   struct caucus_grid_placement *placement, int64_t cell,
                   caucus_cart_traffic *traffic) {
    int count, status = caucus_grid_collect(attachment, cell, &count, placement->scratch);
    if (!status && attachment->local_rank == 0)
        status = caucus_grid_measure(attachment, &request->grid, &request->stencil, count,
                                     placement->scratch, traffic);
    return status;
}

/* Ranks at random, the same for the same seed, whatever it costs. */
static int scramble(const struct caucus_grid_request *request,
                    const struct caucus_attachment *attachment,
                    struct caucus_grid_placement *placement) {
    struct caucus_grid_outcome *outcome = &placement->outcome;
    int64_t size = request->grid.size, rank = attachment->rank;
    int64_t cell = caucus_permute((uint64_t)request->settings.seed, attachment->size, rank);
    placement->cell = cell < size ? cell : -1;
    strcpy(outcome->report.mapper, "chaos");
    outcome->moved = true;
    int status =
        measure(request, attachment, placement, rank < size ? rank : -1, &outcome->report.given);
    if (!status)
        status = measure(request, attachment, placement, placement->cell, &outcome->report.placed);
    return status ? status : caucus_share(attachment, outcome, sizeof *outcome);
}

static bool is_distributed(const struct caucus_grid_request *request, int ranks) {
    const char *mapper = request->settings.mapper;
    bool serves = strcmp(mapper, "best") == 0 || strcmp(mapper, "slabs") == 0;
    return ranks > request->settings.central && serves;
}

int caucus_grid_place_ranks(const struct caucus_grid_request *request,
                            const struct caucus_attachment *attachment,
                            struct caucus_grid_placement *placement) {
    placement->cell = attachment->rank < request->grid.size ? attachment->rank : -1;
    if (!request->reorder || request->grid.size == 1)
        return CAUCUS_OK;
    if (request->settings.chaos)
        return scramble(request, attachment, placement);
    double start = PMPI_Wtime();
    int status = CAUCUS_OK;
    if (attachment->nodes.count > 1)
        status = is_distributed(request, attachment->size)
                     ? caucus_grid_plan_distributed(request, attachment, placement)
                     : caucus_grid_plan_central(request, attachment, placement);
    if (!status && !placement->outcome.moved)
        status = caucus_grid_trade_within(request, attachment, placement);
    if (!status && placement->outcome.moved)
        status = hand_out(request, attachment, placement);
    placement->outcome.seconds = PMPI_Wtime() - start;
    return status;
}
