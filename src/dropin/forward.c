/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/forward.h"

#include "api/grid/calls.h"
#include "api/mixed/assemble.h"
#include "api/mixed/interposition.h"
#include "dropin/guard.h"

#include <caucus/grid.h>

#include <stddef.h>

enum { MOST_DIMS = 10 }; /* as caucus/grid.h says */

int caucus_forward_init(void) {
    if (!caucus_guard_serve())
        return MPI_SUCCESS;
    int code = caucus_calls_begin();
    if (code == MPI_SUCCESS)
        caucus_interposition_open();
    return code;
}

void caucus_forward_finalize(void) {
    if (caucus_guard_leaves())
        return;
    caucus_calls_report();
    caucus_interposition_close();
    caucus_guard_end();
}

/* Whether a grid is to be taken over; counts it if not. */
static bool takes(enum caucus_call call, int ndims, bool wanted) {
    if (caucus_guard_leaves())
        return false;
    bool ours = wanted && ndims <= MOST_DIMS && caucus_call_is_ours(call);
    if (!ours)
        caucus_call_count(call, NULL);
    return ours;
}

bool caucus_forward_cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods,
                                int reorder, void *comm_cart, int *code) {
    MPI_Comm comm = (MPI_Comm)comm_old;
    if (!takes(CAUCUS_CALL_CART_CREATE, ndims, reorder))
        return false;
    *code = caucus_cart_create(comm, ndims, dims, periods, 1, comm_cart);
    if (*code == MPI_SUCCESS)
        caucus_call_count_grid(CAUCUS_CALL_CART_CREATE, comm, ndims, dims);
    return true;
}

bool caucus_forward_cart_map(intptr_t comm, int ndims, const int *dims, const int *periods,
                             int *newrank, int *code) {
    MPI_Comm handle = (MPI_Comm)comm;
    if (!takes(CAUCUS_CALL_CART_MAP, ndims, true))
        return false;
    *code = caucus_cart_map(handle, ndims, dims, periods, newrank);
    if (*code == MPI_SUCCESS)
        caucus_call_count_grid(CAUCUS_CALL_CART_MAP, handle, ndims, dims);
    return true;
}

bool caucus_forward_comm_create_group(intptr_t comm, intptr_t group, int tag, void *made,
                                      int *code) {
    return !caucus_guard_leaves() &&
           caucus_mixed_create_group((MPI_Comm)comm, (MPI_Group)group, tag, made, code);
}

bool caucus_forward_dims_create(int nnodes, int ndims, int *dims) {
    if (caucus_guard_leaves())
        return false;
    bool filled =
        caucus_call_is_ours(CAUCUS_CALL_DIMS_CREATE) && caucus_call_fill_dims(nnodes, ndims, dims);
    caucus_call_count(CAUCUS_CALL_DIMS_CREATE, filled ? "nodes" : NULL);
    return filled;
}
