/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 works out a plan in closed form from the sizes of the nodes, and the leaders look up the
 * cells of their nodes in it. Nobody needs more memory than O(nodes) and O(ranks of its node). The
 * leaders add up what the plan costs, and what it would cost to stay. */
#include "api/grid/distributed.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/bound.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As sent: how many ranks of every node take part, then the packed plan. */
struct message {
    int64_t *numbers, packed;
    double bound;
};

static int write_message(const struct caucus_grid_candidate *candidate, int32_t nodes,
                         const struct caucus_slabs *slabs, struct message *message) {
    int64_t *packed;
    int status = caucus_slabs_pack(slabs, &packed, &message->packed);
    if (status)
        return status;
    message->numbers = caucus_array(nodes + message->packed, sizeof *message->numbers);
    if (message->numbers) {
        for (int32_t node = 0; node < nodes; node++)
            message->numbers[node] = candidate->taken[node];
        memcpy(message->numbers + nodes, packed, (size_t)message->packed * sizeof *packed);
    }
    free(packed);
    if (caucus_grid_bound(&candidate->problem, &message->bound))
        message->bound = 0;
    return message->numbers ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Whether plan a is worth more than b, which may be none; on a line, where plans estimate nothing,
 * fewer nodes have fewer borders. */
static bool is_better(const struct caucus_slabs *a, int32_t nodes_of_a,
                      const struct caucus_slabs *b, int32_t nodes_of_b) {
    if (!b || caucus_slabs_estimate(a) < caucus_slabs_estimate(b))
        return true;
    return caucus_slabs_estimate(a) == caucus_slabs_estimate(b) && nodes_of_a < nodes_of_b;
}

/* On rank 0: the plan with the least estimate; without numbers if none serves. */
static int plan(const struct caucus_grid_request *request, const struct caucus_nodes *nodes,
                const int32_t *first, struct message *message) {
    struct caucus_grid_candidate candidates[2];
    struct caucus_slabs *slabs[2] = {NULL, NULL}, *best = NULL;
    int count, chosen = 0;
    int status = caucus_grid_candidates(request, nodes, first, candidates, &count);
    for (int i = 0; i < count && !status; i++) {
        status = caucus_slabs_plan(&candidates[i].problem, &slabs[i]);
        if (!status && is_better(slabs[i], candidates[i].problem.nodes.count, best,
                                 candidates[chosen].problem.nodes.count)) {
            best = slabs[i];
            chosen = i;
        }
        status = status == CAUCUS_NOT_APPLICABLE ? CAUCUS_OK : status;
    }
    if (!status && best)
        status = write_message(&candidates[chosen], nodes->count, best, message);
    for (int i = 0; i < count; i++) {
        caucus_slabs_free(slabs[i]);
        caucus_grid_candidate_free(&candidates[i]);
    }
    return status;
}

void caucus_grid_look_up(const struct caucus_grid_table *table, int32_t number,
                         struct caucus_grid_placement *placement) {
    int64_t first = placement->count > 0 ? caucus_slabs_first(table->slabs, number) : 0;
    for (int i = 0; i < placement->count; i++)
        placement->cells[i] = caucus_slabs_cell(table->slabs, first + i);
    caucus_sort_cells(placement->count, placement->cells);
}

/* On a leader: what it looks up, and the cells of its node. */
static int read_message(const struct message *message, struct caucus_grid_placement *placement,
                        struct caucus_grid_table *table) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    int32_t nodes = attachment->nodes.count;
    struct caucus_grid_candidate *candidate = &table->candidate;
    int32_t *taken = caucus_array(nodes, sizeof *taken);
    if (!taken)
        return CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < nodes; node++)
        taken[node] = (int32_t)message->numbers[node];
    int status = caucus_grid_candidate_init(candidate, request, nodes, taken);
    free(taken);
    if (!status)
        status = caucus_mirrors_init(&request->grid, &request->stencil, &table->mirrors);
    if (!status)
        status = caucus_slabs_unpack(&request->grid, &candidate->problem.nodes,
                                     message->numbers + nodes, message->packed, &table->slabs);
    if (status)
        return status;
    placement->count = candidate->taken[attachment->node_index];
    caucus_grid_look_up(table, candidate->number[attachment->node_index], placement);
    return CAUCUS_OK;
}

static int plan_on_root(struct caucus_grid_placement *placement, struct message *message) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    int count, status = CAUCUS_OK;
    int32_t *first =
        caucus_array(attachment->rank == 0 ? attachment->nodes.count : 0, sizeof *first);
    if (!first)
        status = CAUCUS_NO_MEMORY;
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = caucus_grid_collect(attachment, placement->cell, &count, placement->scratch);
    /* what the ranks' present places cost, and how many of every node these are */
    if (!status && attachment->local_rank == 0)
        status = caucus_grid_measure(attachment, &request->grid, &request->stencil, count,
                                     placement->scratch, &placement->outcome.report.given);
    if (!status && attachment->local_rank == 0)
        status = caucus_gather_leaders(attachment, count, first);
    if (!status && attachment->rank == 0)
        status = plan(request, &attachment->nodes, first, message);
    free(first);
    return caucus_agree(&attachment->peers, status, 0, NULL);
}

/* On a leader with its cells: has rank 0 keep cell 0 if that is wanted, and measures. */
static int keep_and_measure(const struct caucus_grid_table *table,
                            struct caucus_grid_placement *placement) {
    const struct caucus_grid_request *request = placement->request;
    bool wanted = request->settings.rank0 >= 0, kept = false;
    int status = wanted ? caucus_grid_keep_rank0(table, placement, &kept) : CAUCUS_OK;
    if (!status)
        status = caucus_grid_measure(placement->attachment, &request->grid, &request->stencil,
                                     placement->count, placement->cells,
                                     &placement->outcome.report.placed);
    if (!status && wanted && !kept)
        status = caucus_grid_exchange_rank0(table, placement);
    return status;
}

/* Leaders get the plan and their cells. */
static int spread(struct message *message, struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    struct caucus_grid_table table = {0};
    bool leads = attachment->local_rank == 0;
    int64_t count = attachment->nodes.count + message->packed;
    int status = CAUCUS_OK;
    if (leads && attachment->rank != 0) {
        message->numbers = caucus_array(count, sizeof *message->numbers);
        status = message->numbers ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status)
        return status;
    if (leads)
        status = caucus_bcast_leaders(attachment, message->numbers, count);
    if (leads && !status)
        status = read_message(message, placement, &table);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (leads && !status)
        status = keep_and_measure(&table, placement);
    caucus_slabs_free(table.slabs);
    caucus_grid_candidate_free(&table.candidate);
    return status;
}

static void decide(const struct caucus_grid_request *request, const struct message *message,
                   struct caucus_grid_outcome *outcome) {
    caucus_cart_report_data *report = &outcome->report;
    report->bound = message->bound;
    outcome->moved = message->packed > 0 &&
                     caucus_grid_pays(request, report->given.off_node, report->placed.off_node);
    if (outcome->moved)
        snprintf(report->mapper, sizeof report->mapper, "slabs");
    else
        report->placed = report->given;
    bool stays_for_rank0 = report->rank0_kept && report->rank0_cost > 0;
    if (!outcome->moved && !stays_for_rank0)
        caucus_grid_tell_refused(request, message->packed > 0 ? CAUCUS_GRID_SAVES_NOTHING
                                                              : "does not serve this grid");
}

int caucus_grid_plan_distributed(struct caucus_grid_placement *placement) {
    const struct caucus_attachment *attachment = placement->attachment;
    struct message message = {0};
    int status = plan_on_root(placement, &message);
    if (!status)
        status = caucus_bcast_all(attachment, &message.packed, sizeof message.packed);
    if (!status && message.packed > 0)
        status = spread(&message, placement);
    free(message.numbers);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status)
        return status;
    if (attachment->rank == 0)
        decide(placement->request, &message, &placement->outcome);
    return caucus_bcast_all(attachment, &placement->outcome, sizeof placement->outcome);
}
