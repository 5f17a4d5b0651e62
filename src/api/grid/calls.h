/* SPDX-License-Identifier: BSD-3-Clause */
/* What the drop-in does of grids. */
#ifndef CAUCUS_API_GRID_CALLS_H
#define CAUCUS_API_GRID_CALLS_H

#include "api/calls/reasons.h"

struct caucus_grid_call {
    enum caucus_call call;
    MPI_Comm comm;
    int ndims;
    const int *dims, *periods;
};

/* Counts a grid, and remembers on rank 0 of comm what was made of it: call after caucus_cart_create
 * or caucus_cart_map succeeded on this thread. */
void caucus_call_count_grid(const struct caucus_grid_call *grid);

/* The same of one that is left to MPI. */
void caucus_call_pass_grid(const struct caucus_grid_call *grid, enum caucus_reason reason);

/* Fills dims as caucus_dims_create does, for a cube with open borders, where they can be worked out
 * on this process alone, from what is known of the nodes of MPI_COMM_WORLD: without a message, and
 * the same on all ranks. False where they can't. */
bool caucus_call_fill_dims(int nranks, int ndims, int dims[]);

#endif
