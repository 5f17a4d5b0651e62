/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/grid/kept.h"
#include "base/status.h"
#include "run/engine/build.h"
#include "run/peers/agree.h"
#include "run/support/first_topology.h"

#include <caucus/grid.h>

#include <stdio.h>

static _Thread_local struct caucus_grid_outcome last;

const struct caucus_grid_outcome *caucus_grid_last(void) {
    return &last;
}

/* What became of rank 0, where that is worth a word. */
static void tell_rank0(const caucus_cart_report_data *report, char *text, size_t room) {
    const char *kept = report->rank0_kept ? "kept" : "moved";
    if (report->rank0_cost > 0)
        snprintf(text, room, ", rank 0 %s, to keep it %s %.3g %% more", kept,
                 report->rank0_kept ? "costs" : "would cost", 100 * report->rank0_cost);
    else
        snprintf(text, room, "%s", report->rank0_kept ? "" : ", rank 0 moved");
}

/* One line for a communicator: 8x4 grid, 32 ranks on 8 nodes: slabs, ... */
static void tell(const struct caucus_grid_request *request,
                 const struct caucus_grid_outcome *outcome) {
    char dims[CAUCUS_GRID_MAX_DIMS * 12 + 1] = "1", rank0[80];
    for (int axis = 0, at = 0; axis < request->grid.ndims; axis++)
        at += snprintf(dims + at, sizeof dims - (size_t)at, axis ? "x%d" : "%d",
                       request->grid.dims[axis]);
    const caucus_cart_report_data *report = &outcome->report;
    tell_rank0(report, rank0, sizeof rank0);
    fprintf(stderr,
            "caucus: %s: %s grid of %lld ranks on %d nodes: %s, traffic between nodes %g -> %g "
            "(bound %g)%s, planned in %.*f ms\n",
            request->function, dims, (long long)request->grid.size, report->nodes, report->mapper,
            report->given.off_node, report->placed.off_node, report->bound, rank0,
            outcome->seconds < 0.01 ? 2 : 0, 1e3 * outcome->seconds);
}

static int plan(struct caucus_grid_request *request, const struct caucus_attachment *attachment,
                struct caucus_grid_placement *placement) {
    int status = caucus_grid_placement_init(placement, request, attachment);
    status = caucus_grid_request_agree(request, attachment, status);
    if (!status && !caucus_grid_request_is_native(request))
        status = caucus_grid_place_ranks(placement);
    if (!status && request->settings.verbose && request->reorder && attachment->rank == 0)
        tell(request, &placement->outcome);
    return status;
}

static void release(struct caucus_grid_request *request, struct caucus_grid_placement *placement) {
    caucus_grid_placement_free(placement);
    caucus_grid_request_free(request);
}

static int make(MPI_Comm comm_old, const struct caucus_grid_placement *placement,
                MPI_Comm *comm_cart) {
    const struct caucus_grid_request *request = placement->request;
    const struct caucus_attachment *attachment = placement->attachment;
    struct caucus_grid_kept *kept =
        caucus_grid_kept_new(attachment, &placement->outcome, &request->stencil);
    int periods[CAUCUS_GRID_MAX_DIMS];
    for (int axis = 0; axis < request->grid.ndims; axis++)
        periods[axis] = request->grid.periodic[axis];
    MPI_Comm made = MPI_COMM_NULL;
    int status = caucus_agree(&attachment->peers, kept ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_build_grid(attachment, request->grid.ndims, request->grid.dims, periods,
                                   placement->outcome.moved, placement->cell, &made);
    return caucus_grid_hand_out(comm_old, kept, status, made, comm_cart);
}

/* Check, agree, place, and make the communicator: what all grid constructors share. Returns an
 * error code of MPI, after calling the error handler. */
static int create(MPI_Comm comm_old, struct caucus_grid_request *request, MPI_Comm *comm_cart) {
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
        status = make(comm_old, &placement, comm_cart);
    release(request, &placement);
    if (status)
        return caucus_raise(comm_old, attachment, request->function, status);
    last = placement.outcome;
    caucus_succeed();
    return MPI_SUCCESS;
}

static struct caucus_grid_request star_request(const char *function, int ndims, const int dims[],
                                               const int periods[], int reorder) {
    return (struct caucus_grid_request){.function = function,
                                        .ndims = ndims,
                                        .dims = dims,
                                        .periods = periods,
                                        .is_star = true,
                                        .info = MPI_INFO_NULL,
                                        .reorder = reorder != 0};
}

int caucus_cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                       int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    return create(comm_old, &request, comm_cart);
}

int caucus_cart_create_weighted(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                const double weights[], int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    request.weights = weights;
    return create(comm_old, &request, comm_cart);
}

int caucus_stencil_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                          int noffsets, const int offsets[], const double weights[], MPI_Info info,
                          int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    request.is_star = false;
    request.noffsets = noffsets;
    request.offsets = offsets;
    request.weights = weights;
    request.info = info;
    return create(comm_old, &request, comm_cart);
}

int caucus_cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, 1);
    struct caucus_attachment *attachment;
    struct caucus_grid_placement placement;
    int code = caucus_prepare(comm, request.function, &attachment);
    if (code)
        return code;
    request.result = newrank;
    int status = plan(&request, attachment, &placement);
    release(&request, &placement);
    if (status)
        return caucus_raise(comm, attachment, request.function, status);
    *newrank = placement.cell < 0 ? MPI_UNDEFINED : (int)placement.cell;
    last = placement.outcome;
    caucus_succeed();
    return MPI_SUCCESS;
}
