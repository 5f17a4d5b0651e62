/* SPDX-License-Identifier: BSD-3-Clause */
/* What a nonblocking or persistent collective is known by, with MPI's own rules.
 *
 * A nonblocking request completes once and becomes CAUCUS_REQUEST_NULL. A persistent one is
 * inactive until it is started, and again when it is complete, as often as wanted, until it is
 * freed. Requests may be started, waited for and completed in any order, in another order on every
 * rank, by any thread, but no request by two threads at a time.
 *
 * Waiting for a null or inactive request returns at once with an empty status: MPI_ANY_SOURCE,
 * MPI_ANY_TAG, no elements. A collective has no more to say when it completes, so every status is
 * empty. MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE are allowed.
 *
 * Errors: MPI_ERR_REQUEST for a null pointer, for the start of a request that is null, active or
 * not persistent, and for freeing an active one; MPI_ERR_ARG for a negative count or a null pointer
 * to anything else. An error goes to the handler of the request's communicator or, where no request
 * is at hand, to that of MPI_COMM_SELF. Where one of several requests fails, the function returns
 * MPI_ERR_IN_STATUS, and the MPI_ERROR of each status tells which.
 *
 * Progress is made by every call of these functions, for all active requests of the process. */
#ifndef CAUCUS_REQUEST_H
#define CAUCUS_REQUEST_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caucus_request_object *caucus_request;

#define CAUCUS_REQUEST_NULL ((caucus_request)0)

/* As MPI_Start and MPI_Startall. */
int caucus_start(caucus_request *request);
int caucus_startall(int count, caucus_request requests[]);

/* As MPI_Wait, MPI_Waitall, MPI_Waitany, MPI_Waitsome. */
int caucus_wait(caucus_request *request, MPI_Status *status);
int caucus_waitall(int count, caucus_request requests[], MPI_Status *statuses);
int caucus_waitany(int count, caucus_request requests[], int *index, MPI_Status *status);
int caucus_waitsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses);

/* As MPI_Test, MPI_Testall, MPI_Testany, MPI_Testsome. */
int caucus_test(caucus_request *request, int *flag, MPI_Status *status);
int caucus_testall(int count, caucus_request requests[], int *flag, MPI_Status *statuses);
int caucus_testany(int count, caucus_request requests[], int *index, int *flag, MPI_Status *status);
int caucus_testsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses);

/* As MPI_Request_get_status: whether the request is complete, which it stays. */
int caucus_request_get_status(caucus_request request, int *flag, MPI_Status *status);

/* As MPI_Request_free, for an inactive persistent request, and for what caucus_request_get_status
 * has called complete. MPI forbids to free an active request of a collective, and so does this.
 * Local: ranks may free at different times. */
int caucus_request_free(caucus_request *request);

#ifdef __cplusplus
}
#endif

#endif
