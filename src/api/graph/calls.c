/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/graph/calls.h"

#include "api/calls/counters.h"
#include "base/number.h"
#include "base/settings.h"

static void remember(enum caucus_call call, int ranks) {
    const struct caucus_grid_outcome *outcome = caucus_graph_last();
    const caucus_cart_report_data *report = &outcome->report;
    char object[768], name[CAUCUS_CALL_NAME];
    caucus_call_name(call, name);
    caucus_number_write(
        object, sizeof object,
        "    {\"call\": \"%s\", \"ranks\": %d, \"nodes\": %d, \"mapper\": \"%s\", "
        "\"moved\": %s, \"off_node\": {\"before\": %.17g, \"after\": %.17g}, "
        "\"off_node_worst\": {\"before\": %.17g, \"after\": %.17g}, \"seconds\": %.6g}",
        name, ranks, report->nodes, report->mapper, outcome->moved ? "true" : "false",
        report->given.off_node, report->placed.off_node, report->given.off_node_worst,
        report->placed.off_node_worst, outcome->seconds);
    caucus_counters_keep_grid(CAUCUS_GRIDS_PLACED, object);
}

void caucus_call_count_graph(enum caucus_call call, MPI_Comm comm) {
    int rank, size;
    caucus_call_count(call, caucus_graph_last()->report.mapper);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank == 0 && *caucus_setting_text(CAUCUS_SETTING_REPORT))
        remember(call, size);
}
