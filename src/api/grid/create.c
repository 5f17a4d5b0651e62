/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/create.h"

#include "api/grid/kept.h"
#include "api/prepare.h"
#include "api/raise.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/build.h"
#include "run/first_topology.h"

#include <stdio.h>

static _Thread_local struct caucus_grid_outcome last;

const struct caucus_grid_outcome *caucus_grid_last(void) {
    return &last;
}

/* One line for a communicator: 8x4 grid, 32 ranks on 8 nodes: slabs, ... */
static void tell(const struct caucus_grid_request *request,
                 const struct caucus_attachment *attachment,
                 const struct caucus_grid_outcome *outcome) {
    char dims[CAUCUS_GRID_MAX_DIMS * 12 + 1] = "1";
    for (int axis = 0, at = 0; axis < request->grid.ndims; axis++)
        at += snprintf(dims + at, sizeof dims - (size_t)at, axis ? "x%d" : "%d",
                       request->grid.dims[axis]);
    const caucus_cart_report_data *report = &outcome->report;
    fprintf(stderr,
            "caucus: %s: %s grid of %d ranks on %d nodes: %s, traffic between nodes %g -> %g "
            "(bound %g), planned in %.2g ms\n",
            request->function, dims, attachment->size, report->nodes, report->mapper,
            report->given.off_node, report->placed.off_node, report->bound, 1e3 * outcome->seconds);
}

static int plan(struct caucus_grid_request *request, const struct caucus_attachment *attachment,
                struct caucus_grid_placement *placement) {
    int status = caucus_grid_placement_init(placement, attachment);
    status = caucus_grid_request_agree(request, attachment, status);
    if (!status && !caucus_grid_request_is_native(request))
        status = caucus_grid_place_ranks(request, attachment, placement);
    if (!status && request->settings.verbose && request->reorder && attachment->rank == 0)
        tell(request, attachment, &placement->outcome);
    return status;
}

static void release(struct caucus_grid_request *request, struct caucus_grid_placement *placement) {
    caucus_grid_placement_free(placement);
    caucus_grid_request_free(request);
}

static int make(MPI_Comm comm_old, const struct caucus_attachment *attachment,
                const struct caucus_grid_request *request,
                const struct caucus_grid_placement *placement, MPI_Comm *comm_cart) {
    struct caucus_grid_kept *kept = caucus_grid_kept_new(&placement->outcome, &request->stencil);
    int periods[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < request->grid.ndims; axis++)
        periods[axis] = request->grid.periodic[axis];
    MPI_Comm made = MPI_COMM_NULL;
    int status = caucus_agree(&attachment->peers, kept ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_build_grid(attachment, request->grid.ndims, request->grid.dims, periods,
                                   placement->outcome.moved, placement->cell, &made);
    if (!status && made != MPI_COMM_NULL) {
        status = caucus_inherit(comm_old, attachment, made);
        if (!status)
            status = caucus_grid_keep(made, kept);
        if (!status)
            kept = NULL;
    }
    caucus_grid_kept_free(kept);
    if (!status)
        *comm_cart = made;
    else if (made != MPI_COMM_NULL)
        PMPI_Comm_free(&made);
    return status;
}

int caucus_grid_create(MPI_Comm comm_old, struct caucus_grid_request *request,
                       MPI_Comm *comm_cart) {
    struct caucus_attachment *attachment;
    struct caucus_grid_placement placement;
    int code = caucus_prepare(comm_old, request->function, &attachment);
    if (code)
        return code;
    caucus_first_topology();
    request->result = comm_cart;
    int status = plan(request, attachment, &placement);
    if (!status && caucus_grid_request_is_native(request)) {
        release(request, &placement);
        return PMPI_Cart_create(comm_old, request->ndims, request->dims, request->periods, 0,
                                comm_cart);
    }
    if (!status)
        status = make(comm_old, attachment, request, &placement, comm_cart);
    release(request, &placement);
    if (status)
        return caucus_raise(comm_old, attachment, request->function, status);
    last = placement.outcome;
    return MPI_SUCCESS;
}

int caucus_grid_map(MPI_Comm comm, struct caucus_grid_request *request, int *newrank) {
    struct caucus_attachment *attachment;
    struct caucus_grid_placement placement;
    int code = caucus_prepare(comm, request->function, &attachment);
    if (code)
        return code;
    request->result = newrank;
    int status = plan(request, attachment, &placement);
    release(request, &placement);
    if (status)
        return caucus_raise(comm, attachment, request->function, status);
    *newrank = placement.cell < 0 ? MPI_UNDEFINED : (int)placement.cell;
    last = placement.outcome;
    return MPI_SUCCESS;
}
