/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_MPI_STATUS_H
#define CAUCUS_RUN_SUPPORT_MPI_STATUS_H

/* Turns what an MPI function returned into a status. A failure of MPI below us is
 * CAUCUS_INTERNAL, with MPI's own words and the name of the function as text; CAUCUS_DEAD where
 * somebody died who is needed for it, and CAUCUS_PENDING where a receive from anybody is still
 * active in spite of that (run/support/failure.h). */
int caucus_mpi_status(int code, const char *function);

#endif
