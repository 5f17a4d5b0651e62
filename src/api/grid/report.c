/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/kept.h"
#include "api/grid/measure.h"
#include "api/prepare.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/exchange.h"
#include "run/mpi_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_topology(MPI_Comm comm) {
    int topology, status = caucus_check_comm(comm);
    if (status)
        return status;
    PMPI_Topo_test(comm, &topology);
    return topology == MPI_CART
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_TOPOLOGY, "the communicator has no Cartesian topology");
}

static int read_grid(MPI_Comm comm, struct caucus_grid *grid) {
    int ndims, dims[CAUCUS_GRID_MAX_DIMS], periods[CAUCUS_GRID_MAX_DIMS],
        coordinates[CAUCUS_GRID_MAX_DIMS];
    int status = caucus_mpi_status(PMPI_Cartdim_get(comm, &ndims), "MPI_Cartdim_get");
    if (!status && ndims > CAUCUS_GRID_MAX_DIMS)
        status = caucus_fail(CAUCUS_BAD_DIMS,
                             "the communicator has %d dimensions: at most %d can be "
                             "reported on",
                             ndims, CAUCUS_GRID_MAX_DIMS);
    if (!status)
        status = caucus_mpi_status(
            PMPI_Cart_get(comm, CAUCUS_GRID_MAX_DIMS, dims, periods, coordinates), "MPI_Cart_get");
    return status ? status : caucus_grid_init(grid, ndims, dims, periods);
}

/* What the communicator costs as it lies. */
static int measure(const struct caucus_attachment *attachment, const struct caucus_grid *grid,
                   const struct caucus_stencil *stencil, int64_t *cells,
                   caucus_cart_traffic *placed) {
    int count, status = caucus_grid_collect(attachment, attachment->rank, &count, cells);
    if (!status && attachment->local_rank == 0)
        status = caucus_grid_measure(attachment, grid, stencil, count, cells, placed);
    return status ? status : caucus_share(attachment, placed, sizeof *placed);
}

static int fill(MPI_Comm comm, const struct caucus_attachment *attachment,
                caucus_cart_report_data *report) {
    struct caucus_grid grid;
    struct caucus_stencil star = {0};
    const struct caucus_grid_kept *kept = caucus_grid_kept_of(comm);
    int64_t *cells = NULL;
    int status = report ? read_grid(comm, &grid)
                        : caucus_fail(CAUCUS_BAD_ARGUMENT, "report is a null pointer");
    if (!status && !kept)
        status = caucus_stencil_init_star(&star, grid.ndims, NULL);
    if (!status && attachment->local_rank == 0) {
        cells = caucus_array(attachment->local_size, sizeof *cells);
        status = cells ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status) {
        memset(report, 0, sizeof *report);
        strcpy(report->mapper, "given");
        if (kept)
            *report = kept->outcome.report;
        report->nodes = attachment->nodes.count;
        status = measure(attachment, &grid, kept ? &kept->stencil : &star, cells, &report->placed);
        if (!status && !(kept && kept->outcome.moved))
            report->given = report->placed;
    }
    free(cells);
    caucus_stencil_free(&star);
    return status;
}

int caucus_cart_report(MPI_Comm comm_cart, caucus_cart_report_data *report) {
    struct caucus_attachment *attachment;
    int status = check_topology(comm_cart);
    if (status)
        return caucus_raise(comm_cart, NULL, __func__, status);
    int code = caucus_prepare(comm_cart, __func__, &attachment);
    if (code)
        return code;
    status = fill(comm_cart, attachment, report);
    return status ? caucus_raise(comm_cart, attachment, __func__, status) : MPI_SUCCESS;
}
