/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/grid/kept.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/engine/build.h"
#include "run/peers/agree.h"
#include "run/support/keyval.h"
#include "run/support/mpi_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied);
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra);

static struct caucus_keyval key = CAUCUS_KEYVAL(on_copy, on_delete);

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied) {
    (void)comm, (void)keyval, (void)extra;
    struct caucus_grid_kept *kept = value;
    kept->holders++;
    *(void **)copy = kept;
    *copied = 1;
    caucus_keyval_copied(&key);
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    struct caucus_grid_kept *kept = value;
    if (--kept->holders == 0)
        caucus_grid_kept_free(kept);
    caucus_keyval_deleted(&key);
    return MPI_SUCCESS;
}

struct caucus_grid_kept *caucus_grid_kept_new(const struct caucus_attachment *attachment,
                                              const struct caucus_grid_outcome *outcome,
                                              const struct caucus_stencil *stencil) {
    struct caucus_grid_kept *kept = caucus_array(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->holders = 1;
    kept->outcome = *outcome;
    if (attachment->described)
        kept->origin = caucus_array_copy(&attachment->origin, 1, sizeof attachment->origin);
    if ((attachment->described && !kept->origin) ||
        caucus_stencil_init(&kept->stencil, stencil->ndims, stencil->count, stencil->offset,
                            stencil->weight)) {
        caucus_grid_kept_free(kept);
        return NULL;
    }
    return kept;
}

void caucus_grid_kept_free(struct caucus_grid_kept *kept) {
    if (!kept)
        return;
    caucus_stencil_free(&kept->stencil);
    free(kept->origin);
    free(kept);
}

/* Hands it over to the communicator, which frees it in time. */
static int keep(MPI_Comm comm, struct caucus_grid_kept *kept) {
    return caucus_keyval_set(&key, comm, kept);
}

int caucus_grid_hand_out(MPI_Comm comm_old, struct caucus_grid_kept *kept, int status,
                         MPI_Comm made, MPI_Comm *result) {
    if (!status && made != MPI_COMM_NULL) {
        status = caucus_inherit(comm_old, kept->origin, made);
        kept->origin = NULL;
        if (!status)
            status = keep(made, kept);
        if (!status)
            kept = NULL;
    }
    caucus_grid_kept_free(kept);
    if (!status)
        *result = made;
    else if (made != MPI_COMM_NULL)
        PMPI_Comm_free(&made);
    return status;
}

const struct caucus_grid_kept *caucus_grid_kept_of(MPI_Comm comm) {
    return caucus_keyval_get(&key, comm);
}

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
        report->rank0_kept = 1;
        if (kept)
            *report = kept->outcome.report;
        report->nodes = attachment->nodes.count;
        status = caucus_grid_measure_ranks(attachment, &grid, kept ? &kept->stencil : &star,
                                           attachment->rank, cells, &report->placed);
        if (!status)
            status = caucus_bcast_all(attachment, &report->placed, sizeof report->placed);
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
    return caucus_raise(comm_cart, attachment, __func__, status);
}
