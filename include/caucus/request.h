/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Starting operations and waiting for them.
 */
#ifndef CAUCUS_REQUEST_H
#define CAUCUS_REQUEST_H

#include <mpi.h>

/**
 * @defgroup request Requests
 * @brief What MPI_Request is in MPI: the handle of a nonblocking or persistent operation.
 *
 * The rules are those of MPI. A nonblocking operation is active when its request is made; when it
 * completes, the request becomes CAUCUS_REQUEST_NULL. A persistent operation is inactive when its
 * request is made. caucus_start makes it active, and when it completes it is inactive again. It can
 * be started any number of times, until it is freed.
 *
 * @code
 * caucus_request request;
 * caucus_allreduce_init(in, out, n, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request);
 * for (int step = 0; step < steps; step++) {
 *     caucus_start(&request);
 *     ...                                      // in and out must not be touched
 *     caucus_wait(&request, MPI_STATUS_IGNORE);
 * }
 * caucus_request_free(&request);
 * @endcode
 *
 * Order: requests may be started, waited for and completed in different orders on different ranks.
 * They must be made in the same order on all ranks, as MPI requires of collectives.
 *
 * Statuses: a collective has nothing to report when it completes, so every status is empty, with
 * MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS and no elements. So is the status of a null or inactive
 * request, for which all functions return at once. MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE may be
 * passed.
 *
 * Progress: a call that tests or waits makes progress for all active requests of the process. No
 * progress is made while a process is in none of Caucus's calls.
 *
 * Threads: any thread may start, test and wait for any request, but no two threads the same request
 * at the same time.
 *
 * Errors: raised at the error handler of the request's communicator, or at that of MPI_COMM_SELF if
 * the call has no valid request or the communicator has been freed. With CAUCUS_TIMEOUT, an
 * operation that waits longer than that for another rank fails with MPI_ERR_OTHER, and
 * caucus_error_text() names the ranks that it waits for. An operation that has failed cannot be
 * started again.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The handle of a nonblocking or persistent operation. */
typedef struct caucus_request_object *caucus_request;

/** No request. */
#define CAUCUS_REQUEST_NULL ((caucus_request)0)

/**
 * Starts a persistent operation, as MPI_Start. Its input buffer is read from now on, and its
 * buffers must not be touched until it completes. Local: does not wait for other ranks.
 *
 * Cost: the first messages of the algorithm are posted. Caucus allocates nothing.
 *
 * @param[in,out] request An inactive persistent request.
 * @return MPI_SUCCESS, or MPI_ERR_REQUEST (a null pointer, CAUCUS_REQUEST_NULL, a request that is
 *         active or not persistent), or the error of an operation that could not be started.
 */
int caucus_start(caucus_request *request);

/**
 * Starts several persistent operations, as MPI_Startall. Local.
 *
 * @param[in] count        Number of requests, at least 0.
 * @param[in,out] requests @p count inactive persistent requests.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a negative count), MPI_ERR_REQUEST (a null pointer, or a
 *         request that cannot be started; none is started then), or the error of an operation that
 *         could not be started (those before it in the array have been).
 */
int caucus_startall(int count, caucus_request requests[]);

/**
 * Waits until an operation is complete, as MPI_Wait.
 *
 * @param[in,out] request The request. Becomes CAUCUS_REQUEST_NULL if it is not persistent, inactive
 *                        if it is.
 * @param[out] status     An empty status, or MPI_STATUS_IGNORE.
 * @return MPI_SUCCESS, the error of the operation, or MPI_ERR_REQUEST (a null pointer).
 */
int caucus_wait(caucus_request *request, MPI_Status *status);

/**
 * Waits until all operations are complete, as MPI_Waitall.
 *
 * @param[in] count        Number of requests, at least 0.
 * @param[in,out] requests @p count requests; null and inactive ones are allowed.
 * @param[out] statuses    @p count statuses, or MPI_STATUSES_IGNORE. After MPI_ERR_IN_STATUS the
 *                         field MPI_ERROR of each tells whether and how its operation failed.
 * @return MPI_SUCCESS, or: MPI_ERR_IN_STATUS if an operation failed (all are complete then),
 *         MPI_ERR_ARG (a negative count), MPI_ERR_REQUEST (a null pointer).
 */
int caucus_waitall(int count, caucus_request requests[], MPI_Status *statuses);

/**
 * Waits until one of several operations is complete, as MPI_Waitany.
 *
 * @param[in] count        Number of requests, at least 0.
 * @param[in,out] requests @p count requests; null and inactive ones are allowed.
 * @param[out] index       Index in @p requests of the one that completed; MPI_UNDEFINED if none is
 *                         active.
 * @param[out] status      An empty status, or MPI_STATUS_IGNORE.
 * @return MPI_SUCCESS, or: the error of the operation (not MPI_ERR_IN_STATUS), MPI_ERR_ARG (a
 *         negative count, @p index is NULL), MPI_ERR_REQUEST (@p requests is NULL).
 */
int caucus_waitany(int count, caucus_request requests[], int *index, MPI_Status *status);

/**
 * Waits until at least one of several operations is complete, as MPI_Waitsome, and completes all
 * that are.
 *
 * @param[in] incount      Number of requests, at least 0.
 * @param[in,out] requests @p incount requests; null and inactive ones are allowed.
 * @param[out] outcount    How many completed; MPI_UNDEFINED if none is active.
 * @param[out] indices     Room for @p incount entries: indices in @p requests of those that
 *                         completed.
 * @param[out] statuses    Room for @p incount statuses, or MPI_STATUSES_IGNORE. Entry i belongs to
 *                         the request at indices[i].
 * @return MPI_SUCCESS, or: MPI_ERR_IN_STATUS if one of those that completed failed, MPI_ERR_ARG (a
 *         negative count, @p outcount or @p indices is NULL), MPI_ERR_REQUEST (@p requests is
 *         NULL).
 */
int caucus_waitsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses);

/**
 * Tells whether an operation is complete, as MPI_Test, without waiting.
 *
 * @param[in,out] request The request. If the operation is complete, it becomes CAUCUS_REQUEST_NULL
 *                        if it is not persistent, inactive if it is.
 * @param[out] flag       1 if the operation is complete, or the request is null or inactive; else
 *                        0.
 * @param[out] status     An empty status if @p flag is 1, or MPI_STATUS_IGNORE.
 * @return MPI_SUCCESS, or: the error of the operation, MPI_ERR_REQUEST (@p request is NULL),
 *         MPI_ERR_ARG (@p flag is NULL).
 */
int caucus_test(caucus_request *request, int *flag, MPI_Status *status);

/**
 * Tells whether all operations are complete, as MPI_Testall, without waiting. If not all are, no
 * request is changed.
 *
 * @param[in] count        Number of requests, at least 0.
 * @param[in,out] requests @p count requests; null and inactive ones are allowed.
 * @param[out] flag        1 if all operations are complete, else 0.
 * @param[out] statuses    @p count statuses, set if @p flag is 1, or MPI_STATUSES_IGNORE.
 * @return MPI_SUCCESS, or: MPI_ERR_IN_STATUS if an operation failed, MPI_ERR_ARG (a negative count,
 *         @p flag is NULL), MPI_ERR_REQUEST (@p requests is NULL).
 */
int caucus_testall(int count, caucus_request requests[], int *flag, MPI_Status *statuses);

/**
 * Tells whether one of several operations is complete, as MPI_Testany, without waiting.
 *
 * @param[in] count        Number of requests, at least 0.
 * @param[in,out] requests @p count requests; null and inactive ones are allowed.
 * @param[out] index       Index in @p requests of the one that completed; MPI_UNDEFINED if none is
 *                         active or none is complete.
 * @param[out] flag        1 if one is complete or none is active, else 0.
 * @param[out] status      An empty status if @p flag is 1, or MPI_STATUS_IGNORE.
 * @return MPI_SUCCESS, or: the error of the operation (not MPI_ERR_IN_STATUS), MPI_ERR_ARG (a
 *         negative count, @p index or @p flag is NULL), MPI_ERR_REQUEST (@p requests is NULL).
 */
int caucus_testany(int count, caucus_request requests[], int *index, int *flag, MPI_Status *status);

/**
 * Completes those of several operations that are complete by now, as MPI_Testsome, without waiting.
 *
 * @param[in] incount      Number of requests, at least 0.
 * @param[in,out] requests @p incount requests; null and inactive ones are allowed.
 * @param[out] outcount    How many completed, which may be 0; MPI_UNDEFINED if none is active.
 * @param[out] indices     Room for @p incount entries: indices in @p requests of those that
 *                         completed.
 * @param[out] statuses    Room for @p incount statuses, or MPI_STATUSES_IGNORE. Entry i belongs to
 *                         the request at indices[i].
 * @return MPI_SUCCESS, or: MPI_ERR_IN_STATUS if one of those that completed failed, MPI_ERR_ARG (a
 *         negative count, @p outcount or @p indices is NULL), MPI_ERR_REQUEST (@p requests is
 *         NULL).
 */
int caucus_testsome(int incount, caucus_request requests[], int *outcount, int indices[],
                    MPI_Status *statuses);

/**
 * Tells whether an operation is complete, as MPI_Request_get_status, without waiting and without
 * completing or freeing the request.
 *
 * @param[in] request The request.
 * @param[out] flag   1 if the operation is complete, or the request is null or inactive; else 0.
 * @param[out] status An empty status if @p flag is 1, or MPI_STATUS_IGNORE.
 * @return MPI_SUCCESS, also if the operation has failed (a test or wait returns its error), or
 *         MPI_ERR_ARG (@p flag is NULL).
 */
int caucus_request_get_status(caucus_request request, int *flag, MPI_Status *status);

/**
 * Frees a request, as MPI_Request_free. It must be an inactive persistent request, or an active one
 * that caucus_request_get_status has reported as complete. The active request of a collective must
 * not be freed, as in MPI. Local: different ranks may free at different times.
 *
 * @param[in,out] request The request; becomes CAUCUS_REQUEST_NULL.
 * @return MPI_SUCCESS, or: MPI_ERR_REQUEST (a null pointer, CAUCUS_REQUEST_NULL, a request that is
 *         active), or the error of the operation, if it is complete and has failed.
 */
int caucus_request_free(caucus_request *request);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
