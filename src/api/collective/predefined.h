/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI says of its own operations and datatypes. */
#ifndef CAUCUS_API_COLLECTIVE_PREDEFINED_H
#define CAUCUS_API_COLLECTIVE_PREDEFINED_H

#include <mpi.h>
#include <stdbool.h>

/* "MPI_SUM"; NULL for an operation of the user's. */
const char *caucus_operation_name(MPI_Op op);

/* "MPI_INT"; NULL for a datatype that is derived, or not in the table. */
const char *caucus_datatype_name(MPI_Datatype type);

/* Whether op combines elements of type to the same bits in any order: both are MPI's own, and no
 * numbers are rounded. */
bool caucus_operation_is_exact(MPI_Op op, MPI_Datatype type);

/* Whether op rounds: both are MPI's own, and the bits may depend on the order. */
bool caucus_operation_rounds(MPI_Op op, MPI_Datatype type);

/* Whether a reduction by op can combine elements of type; fails with a text that says why not. */
int caucus_operation_takes(MPI_Op op, MPI_Datatype type, const char *type_name);

#endif
