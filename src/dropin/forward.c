/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/forward.h"

#include "api/collective/leave.h"
#include "api/grid/calls.h"
#include "api/interposition/assemble.h"
#include "api/interposition/interposition.h"
#include "api/interposition/served.h"
#include "dropin/guard.h"

#include <caucus/grid.h>

#include <stddef.h>

enum { MOST_DIMS = 10 }; /* as caucus/grid.h says */

int caucus_forward_init(void) {
    if (!caucus_guard_serve())
        return MPI_SUCCESS;
    caucus_leave_offer();
    int code = caucus_calls_begin();
    if (code == MPI_SUCCESS)
        caucus_interposition_open();
    return code;
}

void caucus_forward_finalize(void) {
    if (caucus_guard_leaves())
        return;
    caucus_calls_report();
    caucus_interposition_end();
}

/* Whether a grid is to be taken over; counts it if not. */
static bool takes(const struct caucus_grid_call *grid, bool wanted) {
    if (caucus_guard_leaves())
        return false;
    bool ours = caucus_call_is_ours(grid->call);
    bool small = grid->ndims <= MOST_DIMS;
    if (ours && wanted && small && caucus_within_serves(grid->comm))
        return true;
    caucus_call_pass_grid(grid, !ours     ? caucus_reason_of(grid->call, false)
                                : !wanted ? CAUCUS_REASON_REORDER
                                : !small  ? CAUCUS_REASON_DIMENSIONS
                                          : CAUCUS_REASON_WORLDS);
    return false;
}

bool caucus_forward_cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods,
                                int reorder, void *comm_cart, int *code) {
    const struct caucus_grid_call grid = {CAUCUS_CALL_CART_CREATE, (MPI_Comm)comm_old, ndims, dims,
                                          periods};
    if (!takes(&grid, reorder))
        return false;
    *code = caucus_cart_create(grid.comm, ndims, dims, periods, 1, comm_cart);
    if (*code == MPI_SUCCESS)
        caucus_call_count_grid(&grid);
    return true;
}

/* MPI's waits for nobody, and a rank may call it alone: so nobody is met before it is known that it
 * is ours. */
bool caucus_forward_cart_map(intptr_t comm, int ndims, const int *dims, const int *periods,
                             int *newrank, int *code) {
    const struct caucus_grid_call grid = {CAUCUS_CALL_CART_MAP, (MPI_Comm)comm, ndims, dims,
                                          periods};
    if (!takes(&grid, true))
        return false;
    caucus_forward_enter_other(comm);
    *code = caucus_cart_map(grid.comm, ndims, dims, periods, newrank);
    if (*code == MPI_SUCCESS)
        caucus_call_count_grid(&grid);
    caucus_forward_leave();
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
    bool ours = caucus_call_is_ours(CAUCUS_CALL_DIMS_CREATE);
    bool filled = ours && caucus_call_fill_dims(nnodes, ndims, dims);
    if (filled)
        caucus_call_count(CAUCUS_CALL_DIMS_CREATE, "nodes");
    else
        caucus_call_pass(CAUCUS_CALL_DIMS_CREATE,
                         ours ? CAUCUS_REASON_OTHER
                              : caucus_reason_of(CAUCUS_CALL_DIMS_CREATE, false));
    return filled;
}
