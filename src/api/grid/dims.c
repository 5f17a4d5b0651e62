/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/dims.h"

#include "api/prepare.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/dims.h"
#include "plan/grid/grid.h"
#include "run/agree.h"
#include "run/exchange.h"

#include <caucus/grid.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check(int ranks, int nranks, int ndims, const double *extents, const int *dims) {
    int64_t product = 1;
    if (nranks < 1 || nranks > ranks)
        return caucus_fail(CAUCUS_BAD_DIMS,
                           "nranks is %d: it must be 1 to %d, the size of the "
                           "communicator",
                           nranks, ranks);
    if (ndims < 0 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                           CAUCUS_GRID_MAX_DIMS);
    if (ndims > 0 && !dims)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "dims is a null pointer");
    bool free_axis = false;
    for (int axis = 0; axis < ndims; axis++) {
        if (dims[axis] < 0)
            return caucus_fail(CAUCUS_BAD_DIMS,
                               "dims[%d] is %d: it must be positive, or 0 to be "
                               "filled",
                               axis, dims[axis]);
        if (extents && (!isfinite(extents[axis]) || extents[axis] <= 0))
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "extents[%d] is %g: it must be finite and "
                               "positive",
                               axis, extents[axis]);
        free_axis = free_axis || dims[axis] == 0;
        product = dims[axis] && product <= nranks ? product * dims[axis] : product;
    }
    if (product > nranks || nranks % product != 0 || (!free_axis && product != nranks))
        return caucus_fail(CAUCUS_BAD_DIMS,
                           "the entries of dims that are given have the product "
                           "%lld, which %s %d ranks",
                           (long long)product, free_axis ? "does not divide" : "is not", nranks);
    return CAUCUS_OK;
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

int caucus_dims_work_out(const struct caucus_attachment *attachment, int nranks, int ndims,
                         int dims[]) {
    int status = check(attachment->size, nranks, ndims, NULL, dims);
    return status ? status : work_out(attachment, nranks, ndims, NULL, NULL, dims);
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
        status = caucus_share(attachment, filled, sizeof filled);
    if (status)
        return caucus_raise(comm, attachment, __func__, status);
    memcpy(dims, filled, (size_t)ndims * sizeof *dims);
    return MPI_SUCCESS;
}
