/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of the user's that requests use: MPI has no way to keep one that he frees, so freeing
 * is put off until the last request has let go. */
#ifndef CAUCUS_API_COLLECTIVE_OPERATIONS_H
#define CAUCUS_API_COLLECTIVE_OPERATIONS_H

#include <mpi.h>

/* MPI's own operations and MPI_OP_NULL need no holding: nothing happens then. */
int caucus_operation_hold(MPI_Op op);
void caucus_operation_let_go(MPI_Op op);

#endif
