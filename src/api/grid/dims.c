/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/dims.h"
#include "api/common/raise.h"
#include "api/grid/calls.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/grid.h"
#include "run/attachment/attach.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <caucus/grid.h>

#include <stdlib.h>
#include <string.h>

static int check(int ranks, int nranks, int ndims, const double *extents, const int *dims) {
    if (nranks < 1 || nranks > ranks)
        return caucus_fail(CAUCUS_BAD_DIMS,
                           "nranks is %d: it must be 1 to %d, the size of the communicator", nranks,
                           ranks);
    if (nranks > 1 && ndims == 0)
        return caucus_fail(CAUCUS_BAD_DIMS, "the product of no dimensions is 1, not %d ranks",
                           nranks);
    return caucus_grid_dims_check(nranks, ndims, extents, dims);
}

/* The nodes that nranks ranks would lie on. */
static int take_nodes(const struct caucus_nodes *nodes, int nranks, struct caucus_nodes *taken) {
    int32_t *sizes = caucus_array(nodes->count, sizeof *sizes), count = 0;
    int status = sizes ? caucus_nodes_take(nodes, nranks, sizes) : CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < nodes->count && !status; node++)
        if (sizes[node] > 0)
            sizes[count++] = sizes[node];
    if (!status)
        status = caucus_nodes_init(taken, count, sizes);
    free(sizes);
    return status;
}

static int work_out(const struct caucus_attachment *attachment, int nranks, int ndims,
                    const double *extents, const int *periods, int *dims) {
    struct caucus_nodes nodes;
    int status = take_nodes(&attachment->nodes, nranks, &nodes);
    if (status)
        return status;
    status = caucus_grid_dims(&nodes, ndims, extents, periods, dims);
    caucus_nodes_free(&nodes);
    return status;
}

bool caucus_call_fill_dims(int nranks, int ndims, int dims[]) {
    int initialized;
    PMPI_Initialized(&initialized);
    const struct caucus_attachment *world = initialized ? caucus_attached(MPI_COMM_WORLD) : NULL;
    return world && !check(world->size, nranks, ndims, NULL, dims) &&
           !work_out(world, nranks, ndims, NULL, NULL, dims);
}

static int agree(const struct caucus_attachment *attachment, int nranks, int ndims,
                 const double *extents, const int *periods, const int *dims) {
    int wraps[CAUCUS_GRID_MAX_DIMS] = {0};
    int status = check(attachment->size, nranks, ndims, extents, dims);
    for (int axis = 0; !status && periods && axis < ndims; axis++)
        wraps[axis] = periods[axis] != 0;
    struct caucus_item items[] = {
        {"the function called", CAUCUS_ITEM_TEXT, "caucus_dims_create", 0},
        {"nranks", CAUCUS_ITEM_INTEGERS, &nranks, 1},
        {"ndims", CAUCUS_ITEM_INTEGERS, &ndims, 1},
        {"extents", CAUCUS_ITEM_REALS, extents, ndims},
        {"periods", CAUCUS_ITEM_INTEGERS, wraps, ndims},
        {"dims", CAUCUS_ITEM_INTEGERS, dims, ndims},
    };
    return caucus_agree(&attachment->peers, status, sizeof items / sizeof *items, items);
}

int caucus_dims_create(MPI_Comm comm, int nranks, int ndims, const double extents[],
                       const int periods[], int dims[]) {
    struct caucus_attachment *attachment;
    int filled[CAUCUS_GRID_MAX_DIMS] = {0};
    int code = caucus_prepare(comm, __func__, &attachment);
    if (code)
        return code;
    int status = agree(attachment, nranks, ndims, extents, periods, dims);
    if (!status) {
        memcpy(filled, dims, (size_t)ndims * sizeof *dims);
        if (attachment->rank == 0)
            status = work_out(attachment, nranks, ndims, extents, periods, filled);
        status = caucus_agree_root(&attachment->peers, 0, status);
    }
    if (!status)
        status = caucus_bcast_all(attachment, filled, sizeof filled);
    if (status)
        return caucus_raise(comm, attachment, __func__, status);
    memcpy(dims, filled, (size_t)ndims * sizeof *dims);
    caucus_succeed();
    return MPI_SUCCESS;
}
