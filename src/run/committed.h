/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_COMMITTED_H
#define CAUCUS_RUN_COMMITTED_H

#include <mpi.h>
#include <stdbool.h>

/* Whether MPI takes a datatype for communication; comm returns errors. Local. MPI cannot be asked,
 * so this packs nothing; an MPI that does not look takes all. */
bool caucus_type_committed(MPI_Datatype type, MPI_Comm comm);

#endif
