/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/calls.h"

#include "api/calls/counters.h"
#include "api/grid/kept.h"
#include "base/number.h"
#include "base/settings.h"

#include <math.h>
#include <stdio.h>

/* JSON has no NaN and no infinity; weights are finite, so sums nearly always are. */
static double finite_or_zero(double value) {
    return isfinite(value) ? value : 0;
}

/* As words of JSON. */
static void write_list(char *list, size_t room, int count, const int *numbers, bool as_flags) {
    *list = '\0';
    for (int i = 0, at = 0; i < count; i++)
        at += snprintf(list + at, room - (size_t)at, i ? ", %d" : "%d",
                       as_flags ? numbers[i] != 0 : numbers[i]);
}

/* The ranks of MPI_COMM_WORLD in its order: where they lie is known. */
static bool is_of_world(MPI_Comm comm) {
    int relation;
    return PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation) == MPI_SUCCESS &&
           (relation == MPI_IDENT || relation == MPI_CONGRUENT);
}

enum { SHAPE_ROOM = 320, REST_ROOM = 96 };

/* The beginning and the end of an object of JSON that describes the grid. */
struct words {
    char shape[SHAPE_ROOM], rest[REST_ROOM];
};

/* On rank 0 of comm if a report is wanted; false elsewhere. */
static bool describe(const struct caucus_grid_call *grid, struct words *words) {
    int rank, ranks;
    char name[CAUCUS_CALL_NAME], dims[CAUCUS_GRID_MAX_DIMS * 13 + 1],
        periodic[CAUCUS_GRID_MAX_DIMS * 3 + 1];
    if (!*caucus_setting_text(CAUCUS_SETTING_REPORT) || grid->comm == MPI_COMM_NULL)
        return false;
    PMPI_Comm_rank(grid->comm, &rank);
    PMPI_Comm_size(grid->comm, &ranks);
    if (rank > 0)
        return false;
    caucus_call_name(grid->call, name);
    write_list(dims, sizeof dims, grid->ndims, grid->dims, false);
    write_list(periodic, sizeof periodic, grid->ndims, grid->periods, true);
    snprintf(words->shape, sizeof words->shape,
             "    {\"call\": \"%s\", \"dims\": [%s], \"ranks\": %d", name, dims, ranks);
    snprintf(words->rest, sizeof words->rest, "\"periodic\": [%s], \"of_world\": %s}", periodic,
             is_of_world(grid->comm) ? "true" : "false");
    return true;
}

void caucus_call_count_grid(const struct caucus_grid_call *grid) {
    const struct caucus_grid_outcome *outcome = caucus_grid_last();
    const caucus_cart_report_data *report = &outcome->report;
    struct words words;
    char object[sizeof words + 512], cost[32] = "null"; /* infinite */
    caucus_call_count(grid->call, report->mapper);
    if (!describe(grid, &words))
        return;
    if (isfinite(report->rank0_cost))
        caucus_number_write(cost, sizeof cost, "%.6g", report->rank0_cost);
    caucus_number_write(
        object, sizeof object,
        "%s, \"nodes\": %d, "
        "\"mapper\": \"%s\", \"moved\": %s, \"off_node\": {\"before\": %.17g, \"after\": "
        "%.17g}, \"bound\": %.17g, \"rank0\": {\"kept\": %s, \"cost\": %s}, "
        "\"seconds\": %.6g, %s",
        words.shape, report->nodes, report->mapper, outcome->moved ? "true" : "false",
        finite_or_zero(report->given.off_node), finite_or_zero(report->placed.off_node),
        finite_or_zero(report->bound), report->rank0_kept ? "true" : "false", cost,
        outcome->seconds, words.rest);
    caucus_counters_keep_grid(CAUCUS_GRIDS_PLACED, object);
}

void caucus_call_pass_grid(const struct caucus_grid_call *grid, enum caucus_reason reason) {
    struct words words;
    char why[CAUCUS_REASON_WORDS], object[sizeof words + sizeof why + 32];
    bool good = grid->ndims > 0 && grid->ndims <= CAUCUS_GRID_MAX_DIMS && grid->dims &&
                grid->periods; /* MPI has yet to look at them */
    caucus_call_pass(grid->call, reason);
    if (!good || !describe(grid, &words))
        return;
    caucus_reason_words(grid->call, reason, why);
    snprintf(object, sizeof object, "%s, \"why\": \"%s\", %s", words.shape, why, words.rest);
    caucus_counters_keep_grid(CAUCUS_GRIDS_LEFT, object);
}
