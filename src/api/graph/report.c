/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/graph/placement.h"
#include "base/status.h"
#include "run/graph/role_edges.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <caucus/graph.h>

#include <string.h>

static int check(MPI_Comm comm, int *topology) {
    int status = caucus_check_comm(comm);
    if (status)
        return status;
    PMPI_Topo_test(comm, topology);
    return *topology == MPI_GRAPH || *topology == MPI_DIST_GRAPH
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_TOPOLOGY, "the communicator has no topology of a graph");
}

/* The neighbours of this rank as MPI has them; all weights are 1 where there are none. */
static int read_distributed(MPI_Comm comm, struct caucus_role_edges *neighbors) {
    int in = 0, out = 0, weighted = 0;
    int status = caucus_mpi_status(PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted),
                                   "MPI_Dist_graph_neighbors_count");
    if (!status)
        status = caucus_role_edges_init(neighbors, in, out, weighted != 0);
    if (!status)
        status = caucus_mpi_status(
            PMPI_Dist_graph_neighbors(comm, in, neighbors->sources,
                                      weighted ? neighbors->source_weights : MPI_UNWEIGHTED, out,
                                      neighbors->destinations,
                                      weighted ? neighbors->destination_weights : MPI_UNWEIGHTED),
            "MPI_Dist_graph_neighbors");
    for (int i = 0; i < out && !status && !weighted; i++)
        neighbors->destination_weights[i] = 1;
    return status;
}

static int read_whole(MPI_Comm comm, struct caucus_role_edges *neighbors) {
    int rank, count = 0;
    PMPI_Comm_rank(comm, &rank);
    int status = caucus_mpi_status(PMPI_Graph_neighbors_count(comm, rank, &count),
                                   "MPI_Graph_neighbors_count");
    if (!status)
        status = caucus_role_edges_init(neighbors, 0, count, false);
    if (!status)
        status = caucus_mpi_status(PMPI_Graph_neighbors(comm, rank, count, neighbors->destinations),
                                   "MPI_Graph_neighbors");
    for (int i = 0; i < count && !status; i++)
        neighbors->destination_weights[i] = 1;
    return status;
}

static int fill(MPI_Comm comm, int topology, const struct caucus_attachment *attachment,
                caucus_cart_report_data *report) {
    const struct caucus_grid_kept *kept = caucus_grid_kept_of(comm);
    struct caucus_role_edges neighbors = {0};
    struct caucus_node_traffic traffic;
    int status = report ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "report is a null pointer");
    if (!status)
        status = topology == MPI_GRAPH ? read_whole(comm, &neighbors)
                                       : read_distributed(comm, &neighbors);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = caucus_role_edges_traffic(attachment, &neighbors, &traffic);
    caucus_role_edges_free(&neighbors);
    if (status)
        return status;
    memset(report, 0, sizeof *report);
    strcpy(report->mapper, "given");
    report->rank0_kept = 1;
    if (kept)
        *report = kept->outcome.report;
    report->nodes = attachment->nodes.count;
    report->placed = caucus_graph_traffic(&traffic, attachment->size);
    if (!(kept && kept->outcome.moved))
        report->given = report->placed;
    return CAUCUS_OK;
}

int caucus_graph_report(MPI_Comm comm_graph, caucus_cart_report_data *report) {
    struct caucus_attachment *attachment;
    int topology, status = check(comm_graph, &topology);
    if (status)
        return caucus_raise(comm_graph, NULL, __func__, status);
    int code = caucus_prepare(comm_graph, __func__, &attachment);
    if (code)
        return code;
    status = fill(comm_graph, topology, attachment, report);
    return caucus_raise(comm_graph, attachment, __func__, status);
}
