/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/placement.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/grid/place.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int caucus_grid_placement_init(struct caucus_grid_placement *placement,
                               const struct caucus_grid_request *request,
                               const struct caucus_attachment *attachment) {
    *placement = (struct caucus_grid_placement){.request = request, .attachment = attachment};
    placement->outcome.report.nodes = attachment->nodes.count;
    strcpy(placement->outcome.report.mapper, "given");
    placement->outcome.report.rank0_kept = 1;
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

void caucus_grid_tell_refused(const struct caucus_grid_request *request, const char *why) {
    if (strcmp(request->settings.mapper, "best") != 0)
        fprintf(stderr, "caucus: warning: %s: mapper %s %s: ranks stay\n", request->function,
                request->settings.mapper, why);
}

static bool keeps_rank0(const struct caucus_grid_placement *placement) {
    return placement->request->settings.rank0 >= 0 && placement->attachment->rank == 0 &&
           placement->cells[0] == 0;
}

/* Traffic between the parts of each level. */
struct cuts {
    double before[CAUCUS_INNER_LEVELS], after[CAUCUS_INNER_LEVELS];
};

/* On a leader: which local rank takes which cell of the node goes to scratch. */
static int place_locals(struct caucus_grid_placement *placement, struct cuts *cuts) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    return caucus_grid_place(&request->grid, &request->stencil, placement->count, placement->cells,
                             attachment->levels, (const int32_t *const *)attachment->part_of_local,
                             keeps_rank0(placement), placement->scratch, cuts->before, cuts->after);
}

/* The leader hands out the cells of its node; ranks beyond their number get none. */
static int hand_out(struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    int status = CAUCUS_OK;
    if (attachment->local_rank == 0) {
        struct cuts cuts;
        for (int i = placement->count; i < attachment->local_size; i++)
            placement->scratch[i] = -1;
        if (placement->count > 0)
            status = place_locals(placement, &cuts);
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status : caucus_scatter_node(attachment, placement->scratch, &placement->cell);
}

static bool pays(const struct caucus_grid_request *request, const struct cuts *cuts) {
    bool any = false;
    for (int level = 0; level < CAUCUS_INNER_LEVELS; level++)
        any = any || caucus_grid_pays(request, cuts->before[level], cuts->after[level]);
    return any;
}

/* Leaders only. Both placements cost the same between nodes. */
static int decide(struct caucus_grid_placement *placement, struct cuts *cuts) {
    const struct caucus_attachment *attachment = placement->attachment;
    caucus_cart_report_data *report = &placement->outcome.report;
    int status = caucus_reduce_leaders(attachment, cuts->before, CAUCUS_INNER_LEVELS, MPI_SUM);
    if (!status)
        status = caucus_reduce_leaders(attachment, cuts->after, CAUCUS_INNER_LEVELS, MPI_SUM);
    if (!status)
        status =
            caucus_grid_measure(attachment, &placement->request->grid, &placement->request->stencil,
                                placement->count, placement->cells, &report->given);
    if (status || attachment->rank != 0)
        return status;
    report->placed = report->given;
    placement->outcome.moved = pays(placement->request, cuts);
    if (placement->outcome.moved)
        strcpy(report->mapper, "within-node");
    return CAUCUS_OK;
}

/* For ranks that would keep their places: the leaders work out what packages and shared caches gain
 * if the cells of each node are dealt anew. If it pays, the outcome says that ranks move, and the
 * leaders have the cells of their nodes. Collective; all ranks get the same status. */
static int trade_within(struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    struct cuts cuts = {0};
    int status =
        caucus_grid_collect(attachment, placement->cell, &placement->count, placement->cells);
    if (!status && attachment->local_rank == 0 && attachment->levels > 0)
        status = place_locals(placement, &cuts);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status && attachment->local_rank == 0)
        status = decide(placement, &cuts);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status
                  : caucus_bcast_all(attachment, &placement->outcome, sizeof placement->outcome);
}

/* Of this rank: at random, the same for the same seed. Who would have cell 0 and rank 0 exchange
 * their cells if that is to be. */
static int64_t random_cell(const struct caucus_grid_request *request,
                           const struct caucus_attachment *attachment) {
    uint64_t seed = (uint64_t)request->settings.seed;
    int64_t cell = caucus_permute(seed, attachment->size, attachment->rank);
    if (request->settings.rank0 < 0)
        return cell;
    if (attachment->rank == 0)
        return 0;
    return cell ? cell : caucus_permute(seed, attachment->size, 0);
}

/* Ranks at random, whatever it costs. */
static int scramble(struct caucus_grid_placement *placement) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    struct caucus_grid_outcome *outcome = &placement->outcome;
    int64_t given = placement->cell, cell = random_cell(request, attachment);
    placement->cell = cell < request->grid.size ? cell : -1;
    strcpy(outcome->report.mapper, "chaos");
    outcome->moved = true;
    int status = caucus_grid_measure_ranks(attachment, &request->grid, &request->stencil, given,
                                           placement->scratch, &outcome->report.given);
    if (!status)
        status =
            caucus_grid_measure_ranks(attachment, &request->grid, &request->stencil,
                                      placement->cell, placement->scratch, &outcome->report.placed);
    return status ? status : caucus_bcast_all(attachment, outcome, sizeof *outcome);
}

/* Where nobody has looked after rank 0: what became of it. */
static int look_after_rank0(struct caucus_grid_placement *placement) {
    bool kept = placement->cell == 0;
    int status = caucus_bcast_flag(placement->attachment, &kept);
    placement->outcome.report.rank0_kept = kept;
    return status;
}

/* Rank 0's work is in proportion to ranks and offsets: where these are many, ranks count for more.
 */
static bool is_distributed(const struct caucus_grid_request *request, int ranks) {
    enum { OFFSETS = 256 };
    const char *mapper = request->settings.mapper;
    bool serves = strcmp(mapper, "best") == 0 || strcmp(mapper, "slabs") == 0;
    double weight = request->stencil.count > OFFSETS ? request->stencil.count / (double)OFFSETS : 1;
    return ranks * weight > (double)request->settings.central && serves;
}

static int arrange(struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    int status = CAUCUS_OK;
    if (attachment->nodes.count > 1)
        status = is_distributed(placement->request, attachment->size)
                     ? caucus_grid_plan_distributed(placement)
                     : caucus_grid_plan_central(placement);
    if (!status && !placement->outcome.moved)
        status = trade_within(placement);
    if (!status && placement->outcome.moved)
        status = hand_out(placement);
    return status;
}

int caucus_grid_place_ranks(struct caucus_grid_placement *placement) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    placement->cell = attachment->rank < request->grid.size ? attachment->rank : -1;
    if (!request->reorder || request->grid.size == 1)
        return CAUCUS_OK;
    double start = PMPI_Wtime();
    int status = request->settings.chaos ? scramble(placement) : arrange(placement);
    if (!status && placement->outcome.moved && request->settings.rank0 < 0)
        status = look_after_rank0(placement);
    placement->outcome.seconds = PMPI_Wtime() - start;
    return status;
}
