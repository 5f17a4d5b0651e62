/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's functions on requests where any may be a native one or one of ours: the same arguments, the
 * same outcome. Waiting for native requests alone, with none of ours active, is left to MPI; else
 * both kinds are moved on in turns, and nothing blocks within MPI. */
#ifndef CAUCUS_API_INTERPOSITION_MIXED_H
#define CAUCUS_API_INTERPOSITION_MIXED_H

#include <mpi.h>
#include <stdbool.h>

/* Starts the request if it is ours; else false, and nothing happens. */
bool caucus_mixed_start(MPI_Request *request, int *code);

int caucus_mixed_wait(MPI_Request *request, MPI_Status *status);
int caucus_mixed_waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int caucus_mixed_waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int caucus_mixed_waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                          MPI_Status statuses[]);

int caucus_mixed_test(MPI_Request *request, int *flag, MPI_Status *status);
int caucus_mixed_testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);
int caucus_mixed_testany(int count, MPI_Request requests[], int *index, int *flag,
                         MPI_Status *status);
int caucus_mixed_testsome(int count, MPI_Request requests[], int *completed, int indices[],
                          MPI_Status statuses[]);

int caucus_mixed_request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int caucus_mixed_request_free(MPI_Request *request);
int caucus_mixed_cancel(MPI_Request *request); /* MPI forbids it for collectives: an error */

/* MPI_Request_get_status_all, any and some, which complete nothing: MPI is asked about the native
 * ones, and then ours are added to what it said. The native ones, MPI_REQUEST_NULL where one is
 * ours; to be given to free(). NULL where all are native. An error code of MPI. */
int caucus_get_status_natives(const char *function, int count, const MPI_Request requests[],
                              MPI_Request **natives);

void caucus_get_status_all(int count, const MPI_Request requests[], int *flag);
void caucus_get_status_any(int count, const MPI_Request requests[], int *index, int *flag,
                           MPI_Status *status);
void caucus_get_status_some(int count, const MPI_Request requests[], int *completed, int indices[],
                            MPI_Status statuses[]);

#endif
