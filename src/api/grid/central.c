/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 gathers the node of every rank, tries all mappers on the whole grid, and sends each leader
 * the cells of its node. O(ranks) memory on rank 0 alone, O(ranks of the node) on a leader. */
#include "api/grid/candidate.h"
#include "api/grid/placement.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/rank0.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 works with. */
struct central {
    int32_t *node_of_rank, *first;
    int *counts;    /* of cells, for each node */
    int64_t *lists; /* the cells of node 0, of node 1, ... */
    struct caucus_grid_candidate candidates[2];
    struct caucus_grid_choice choices[2];
    int candidate_count, best;
    const struct caucus_grid_mapping *mapping; /* the one in force, of the best choice, or NULL */
};

static int make_room(struct central *central, const struct caucus_grid_request *request,
                     const struct caucus_attachment *attachment) {
    int32_t nodes = attachment->nodes.count;
    central->node_of_rank = caucus_array(attachment->size, sizeof *central->node_of_rank);
    central->first = caucus_array(nodes, sizeof *central->first);
    central->counts = caucus_array(nodes, sizeof *central->counts);
    central->lists = caucus_array(request->grid.size, sizeof *central->lists);
    bool all = central->node_of_rank && central->first && central->counts && central->lists;
    return all ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static void free_central(struct central *central) {
    for (int i = 0; i < central->candidate_count; i++) {
        caucus_grid_choice_free(&central->choices[i]);
        caucus_grid_candidate_free(&central->candidates[i]);
    }
    free(central->node_of_rank);
    free(central->first);
    free(central->counts);
    free(central->lists);
}

/* A mapper that the user asks for but that does not serve this grid is no failure of the program:
 * the choice is without a mapping then. */
static int choose_for(struct central *central, const struct caucus_grid_request *request,
                      int number, const int32_t *given) {
    const struct caucus_grid_candidate *candidate = &central->candidates[number];
    bool keep_rank0 = request->settings.rank0 >= 0 && candidate->taken[0] > 0;
    int status = caucus_grid_choose(&candidate->problem, request->settings.mapper, given,
                                    keep_rank0, &central->choices[number]);
    return status == CAUCUS_NOT_APPLICABLE ? CAUCUS_OK : status;
}

static int choose_first(struct central *central, const struct caucus_grid_request *request) {
    struct caucus_grid_candidate *candidate = &central->candidates[0];
    int64_t size = request->grid.size;
    int32_t *given = caucus_array(size, sizeof *given);
    if (!given)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < size; rank++)
        given[rank] = candidate->number[central->node_of_rank[rank]];
    int status = choose_for(central, request, 0, given);
    free(given);
    return status;
}

static int choose(struct central *central, const struct caucus_grid_request *request,
                  const struct caucus_attachment *attachment) {
    for (int64_t rank = 0; rank < request->grid.size; rank++)
        central->first[central->node_of_rank[rank]]++;
    int status = caucus_grid_candidates(request, &attachment->nodes, central->first,
                                        central->candidates, &central->candidate_count);
    if (!status)
        status = choose_first(central, request);
    if (!status && central->candidate_count > 1)
        status = choose_for(central, request, 1, NULL);
    for (int i = 0; i < central->candidate_count && !status; i++) {
        const struct caucus_grid_mapping *best = &central->choices[i].best;
        if (best->node_of_cell &&
            (!central->mapping || caucus_grid_better(&best->score, &central->mapping->score))) {
            central->mapping = best;
            central->best = i;
        }
    }
    return status;
}

caucus_cart_traffic caucus_grid_traffic(const struct caucus_grid_score *score) {
    return (caucus_cart_traffic){.off_node = score->jsum,
                                 .off_node_worst = score->jmax,
                                 .all = score->total,
                                 .on_min = score->on.min,
                                 .on_max = score->on.max,
                                 .off_min = score->off.min,
                                 .off_max = score->off.max,
                                 .on_mean = score->on.mean,
                                 .off_mean = score->off.mean};
}

/* The mapping in force moves rank 0: the cheapest that does not, which may be that all ranks stay,
 * is taken instead if the setting allows what it costs. */
static void keep_rank0(struct central *central, const struct caucus_grid_request *request,
                       struct caucus_grid_outcome *outcome) {
    const struct caucus_grid_score *given = &central->choices[0].given, *least = given;
    const struct caucus_grid_score *best = &central->mapping->score;
    const struct caucus_grid_mapping *keeping = NULL;
    int number = central->best;
    for (int i = 0; i < central->candidate_count; i++) {
        const struct caucus_grid_choice *choice = &central->choices[i];
        const struct caucus_grid_mapping *mapping =
            choice->keeps_rank0 ? &choice->best : &choice->keeping;
        if (mapping->node_of_cell && caucus_grid_pays(request, given->jsum, mapping->score.jsum) &&
            caucus_rank0_cheaper(&mapping->score, least, best)) {
            least = &mapping->score;
            keeping = mapping;
            number = i;
        }
    }
    double cost = caucus_rank0_cost(least->jsum, least->jmax, best->jsum, best->jmax);
    outcome->report.rank0_cost = cost;
    outcome->report.rank0_kept = cost <= request->settings.rank0;
    if (!outcome->report.rank0_kept)
        return;
    outcome->moved = keeping != NULL;
    if (keeping) {
        central->mapping = keeping;
        central->best = number;
    }
}

static void tell_unserved(const struct caucus_grid_request *request) {
    char why[256];
    snprintf(why, sizeof why, "does not serve this grid (%s)", caucus_error_text());
    caucus_grid_tell_refused(request, why);
}

static void tell_outcome(struct central *central, const struct caucus_grid_request *request,
                         struct caucus_grid_outcome *outcome) {
    const struct caucus_grid_mapping *best = central->mapping;
    caucus_cart_report_data *report = &outcome->report;
    report->given = caucus_grid_traffic(&central->choices[0].given);
    outcome->moved = best && caucus_grid_pays(request, report->given.off_node, best->score.jsum);
    if (!best)
        tell_unserved(request);
    else if (!outcome->moved)
        caucus_grid_tell_refused(request, CAUCUS_GRID_SAVES_NOTHING);
    if (outcome->moved && !central->choices[central->best].keeps_rank0 &&
        request->settings.rank0 >= 0)
        keep_rank0(central, request, outcome);
    report->bound = central->choices[outcome->moved ? central->best : 0].bound;
    report->placed = outcome->moved ? caucus_grid_traffic(&central->mapping->score) : report->given;
    if (outcome->moved) {
        const char *name = central->mapping->mapper;
        snprintf(report->mapper, sizeof report->mapper, "%s",
                 strcmp(name, "given") == 0 ? "row-major" : name);
    }
}

/* Sorts the cells by node. */
static int list_cells(struct central *central, const struct caucus_grid_request *request,
                      int32_t nodes) {
    const struct caucus_grid_candidate *candidate = &central->candidates[central->best];
    const int32_t *node_of_cell = central->mapping->node_of_cell;
    int64_t *next = caucus_array(candidate->problem.nodes.count, sizeof *next), begin = 0;
    if (!next)
        return CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < nodes; node++) {
        central->counts[node] = candidate->taken[node];
        if (candidate->number[node] >= 0)
            next[candidate->number[node]] = begin;
        begin += candidate->taken[node];
    }
    for (int64_t cell = 0; cell < request->grid.size; cell++)
        central->lists[next[node_of_cell[cell]]++] = cell;
    free(next);
    return CAUCUS_OK;
}

static int plan(struct central *central, struct caucus_grid_placement *placement) {
    int status = choose(central, placement->request, placement->attachment);
    if (status)
        return status;
    tell_outcome(central, placement->request, &placement->outcome);
    if (!placement->outcome.moved)
        return CAUCUS_OK;
    return list_cells(central, placement->request, placement->attachment->nodes.count);
}

int caucus_grid_plan_central(struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    struct central central = {0};
    struct caucus_grid_outcome *outcome = &placement->outcome;
    int status =
        attachment->rank == 0 ? make_room(&central, placement->request, attachment) : CAUCUS_OK;
    status = caucus_agree_root(&attachment->peers, 0, status);
    if (!status) {
        status = caucus_gather_nodes(attachment, central.node_of_rank);
        if (!status && attachment->rank == 0)
            status = plan(&central, placement);
        status = caucus_agree_root(&attachment->peers, 0, status);
    }
    if (!status)
        status = caucus_bcast_all(attachment, outcome, sizeof *outcome);
    if (!status && outcome->moved && attachment->local_rank == 0)
        status = caucus_scatterv_leaders(attachment, central.counts, central.lists,
                                         &placement->count, placement->cells);
    free_central(&central);
    return status;
}
