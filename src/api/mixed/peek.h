/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status_all, any and some, which complete nothing: MPI is asked about the native
 * ones, and then ours are added to what it said. */
#ifndef CAUCUS_API_MIXED_PEEK_H
#define CAUCUS_API_MIXED_PEEK_H

#include <mpi.h>

/* The native ones, MPI_REQUEST_NULL where one is ours; to be given to free(). NULL where there is
 * no memory. */
MPI_Request *caucus_peek_natives(int count, const MPI_Request requests[]);

void caucus_peek_all(int count, const MPI_Request requests[], int *flag);
void caucus_peek_any(int count, const MPI_Request requests[], int *index, int *flag,
                     MPI_Status *status);
void caucus_peek_some(int count, const MPI_Request requests[], int *completed, int indices[],
                      MPI_Status statuses[]);

#endif
