/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/calls.h"

#include "api/calls/counters.h"
#include "api/grid/kept.h"
#include "base/settings.h"

#include <math.h>
#include <stdio.h>

/* JSON has no NaN and no infinity; weights are finite, so sums nearly always are. */
static double finite_or_zero(double value) {
    return isfinite(value) ? value : 0;
}

static void remember(enum caucus_call call, int ranks, int ndims, const int *dims) {
    const struct caucus_grid_outcome *outcome = caucus_grid_last();
    const caucus_cart_report_data *report = &outcome->report;
    char list[CAUCUS_GRID_MAX_DIMS * 13 + 1] = "", object[896], name[CAUCUS_CALL_NAME];
    char cost[32] = "null"; /* infinite */
    caucus_call_name(call, name);
    for (int axis = 0, at = 0; axis < ndims; axis++)
        at += snprintf(list + at, sizeof list - (size_t)at, axis ? ", %d" : "%d", dims[axis]);
    if (isfinite(report->rank0_cost))
        snprintf(cost, sizeof cost, "%.6g", report->rank0_cost);
    snprintf(
        object, sizeof object,
        "    {\"call\": \"%s\", \"dims\": [%s], \"ranks\": %d, \"nodes\": %d, "
        "\"mapper\": \"%s\", \"moved\": %s, \"off_node\": {\"before\": %.17g, \"after\": %.17g}, "
        "\"bound\": %.17g, \"rank0\": {\"kept\": %s, \"cost\": %s}, \"seconds\": %.6g}",
        name, list, ranks, report->nodes, report->mapper, outcome->moved ? "true" : "false",
        finite_or_zero(report->given.off_node), finite_or_zero(report->placed.off_node),
        finite_or_zero(report->bound), report->rank0_kept ? "true" : "false", cost,
        outcome->seconds);
    caucus_counters_keep_grid(object);
}

void caucus_call_count_grid(enum caucus_call call, MPI_Comm comm, int ndims, const int *dims) {
    int rank, size;
    caucus_call_count(call, caucus_grid_last()->report.mapper);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank == 0 && *caucus_setting_text(CAUCUS_SETTING_REPORT))
        remember(call, size, ndims, dims);
}
