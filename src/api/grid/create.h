/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_GRID_CREATE_H
#define CAUCUS_API_GRID_CREATE_H

#include "api/grid/placement.h"

/* Check, agree, place, and make the communicator: what all grid constructors share. Returns an
 * error code of MPI, after calling the error handler. */
int caucus_grid_create(MPI_Comm comm_old, struct caucus_grid_request *request, MPI_Comm *comm_cart);

/* The same without making anything: this rank's place, MPI_UNDEFINED for none. */
int caucus_grid_map(MPI_Comm comm, struct caucus_grid_request *request, int *newrank);

/* What became of the calling thread's last successful call of these. */
const struct caucus_grid_outcome *caucus_grid_last(void);

#endif
