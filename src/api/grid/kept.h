/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of grids that Caucus made. */
#ifndef CAUCUS_API_GRID_KEPT_H
#define CAUCUS_API_GRID_KEPT_H

#include "api/grid/placement.h"

/* What became of the calling thread's last successful call that placed ranks. */
const struct caucus_grid_outcome *caucus_grid_last(void);

/* With a Cartesian communicator, for caucus_cart_report. */
struct caucus_grid_kept {
    _Atomic int holders; /* the communicator and its duplicates */
    struct caucus_grid_outcome outcome;
    struct caucus_stencil stencil;
    struct caucus_origin *origin; /* for the communicator, until it has that; NULL for none */
};

/* All that a new communicator will have: once that is there on all ranks, no rank fails alone.
 * NULL for want of memory. Takes a copy of the stencil. */
struct caucus_grid_kept *caucus_grid_kept_new(const struct caucus_attachment *attachment,
                                              const struct caucus_grid_outcome *outcome,
                                              const struct caucus_stencil *stencil);
void caucus_grid_kept_free(struct caucus_grid_kept *kept);

/* The last step of a constructor: a communicator that was made, or MPI_COMM_NULL, inherits from the
 * old one and keeps that, which is taken over; after a failure it is freed. status: what came
 * before. */
int caucus_grid_hand_out(MPI_Comm comm_old, struct caucus_grid_kept *kept, int status,
                         MPI_Comm made, MPI_Comm *result);

/* NULL if Caucus did not make comm. */
const struct caucus_grid_kept *caucus_grid_kept_of(MPI_Comm comm);

#endif
