/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_QUIET_H
#define CAUCUS_RUN_QUIET_H

#include <mpi.h>

/* Lets errors of comm come back as codes. Not by MPI_ERRORS_RETURN alone: Intel MPI 2021.18 aborts
 * all the same in programs of the standard ABI. */
void caucus_quiet(MPI_Comm comm);

#endif
