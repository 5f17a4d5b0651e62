/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief A pool of ranks: each task runs on a group of as many ranks as it asks for.
 */
#ifndef CAUCUS_POOL_H
#define CAUCUS_POOL_H

#include <caucus/group_object.h>

#include <mpi.h>

/**
 * @defgroup pool Task pools
 * @brief Idle ranks form a group for the next task while all other ranks go on with theirs.
 *
 * @code
 * static int body(void *context, caucus_pool pool, caucus_group group, const void *task) {
 *     const struct molecule *molecule = task;
 *     ...                                     // collectives and messages on group
 *     return 0;
 * }
 *
 * caucus_pool_options options = {.body = body, .task_bytes = sizeof(struct molecule)};
 * caucus_pool_open(comm, &options, &pool);
 * if (rank == 0)
 *     for (int i = 0; i < n; i++)
 *         caucus_pool_submit(pool, molecule[i].size / 100 + 1, &molecule[i]);
 * caucus_pool_run(pool);                      // by all ranks, until all tasks are done
 * caucus_pool_close(&pool);
 * @endcode
 *
 * Workers: rank 0 hands out tasks and runs none itself, unless it is the only rank. So a pool of p
 * ranks has p - 1 workers, or 1 if p is 1.
 *
 * Order: tasks start in the order in which they reach rank 0; tasks submitted by one rank reach it
 * in the order of submission. If the next task needs more ranks than are idle, idle ranks are kept
 * for it, unless caucus_pool_options::passes lets smaller tasks behind it start first.
 *
 * Cost: starting a task on k ranks takes k messages, which also make its group, a light group
 * (caucus/group.h). Each rank sends one message when it is idle again.
 *
 * Errors are raised at the error handler of the communicator that the pool was opened on (of
 * MPI_COMM_SELF for CAUCUS_POOL_NULL). A rank waits for the tasks of others as long as they take,
 * whatever CAUCUS_TIMEOUT says.
 *
 * Threads: one thread at a time may call functions on a pool.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, section 2.3, which refers to
 * J. Nieplocha et al., Integrated data and task management for scientific applications, ICCS 2008.
 * docs/balance.md is the guide.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The handle of a pool. */
typedef struct caucus_pool_object *caucus_pool;

/** No pool. */
#define CAUCUS_POOL_NULL ((caucus_pool)0)

/**
 * Runs a task. Called by caucus_pool_run on each rank of the task's group.
 *
 * It may call caucus_pool_submit and caucus_pool_statistics on its pool, but no other function on
 * it.
 *
 * @param[in] context caucus_pool_options::context.
 * @param[in] pool    The pool.
 * @param[in] group   The ranks that run this task, ascending as in the communicator. Freed when the
 *                    function returns; requests that are left keep what they need.
 * @param[in] task    The bytes that were submitted, valid until the function returns.
 * @return 0, or any other value if the task has failed: no more tasks are started then, and
 *         caucus_pool_run returns an error on all ranks when the running ones are done.
 */
typedef int caucus_pool_body(void *context, caucus_pool pool, caucus_group group, const void *task);

/** How a pool is opened. */
typedef struct {
    caucus_pool_body *body; /**< Runs the tasks; not NULL. */
    void *context;          /**< Passed to body. */
    int task_bytes; /**< Length of a task in bytes, 0 to 2^20; the same on all ranks. Tasks are
                       copied as bytes. */
    int passes;     /**< How many later tasks may start before one that waits for more ranks than
                       are idle; at least 0. Significant on rank 0 only. */
} caucus_pool_options;

/**
 * Opens a pool of all ranks of a communicator.
 *
 * Collective over @p comm. Attaches it if it is not attached; takes a context id of MPI.
 *
 * @param[in] comm    An intracommunicator.
 * @param[in] options Options, which are copied.
 * @param[out] pool   The pool, to be closed by caucus_pool_close.
 * @return MPI_SUCCESS, or on all ranks: MPI_ERR_COMM (MPI_COMM_NULL, an intercommunicator),
 *         MPI_ERR_ARG (a null pointer, a negative number, task_bytes above 2^20 or different
 *         between ranks), MPI_ERR_NO_MEM.
 */
int caucus_pool_open(MPI_Comm comm, const caucus_pool_options *options, caucus_pool *pool);

/**
 * Submits a task. It runs in the current or next caucus_pool_run.
 *
 * Local. May be called by any rank, before a run or in the body of a task.
 *
 * @param[in] pool  A pool.
 * @param[in] ranks How many ranks the task needs, from 1 to the number of workers.
 * @param[in] task  caucus_pool_options::task_bytes bytes, which are copied; may be NULL if there
 *                  are none.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (CAUCUS_POOL_NULL, a wrong number of ranks, a null pointer),
 *         MPI_ERR_NO_MEM.
 */
int caucus_pool_submit(caucus_pool pool, int ranks, const void *task);

/**
 * Runs all tasks that any rank has submitted before or submits meanwhile, and returns when all are
 * done.
 *
 * Collective over the pool. May be called any number of times, but not by a body.
 *
 * @param[in] pool A pool.
 * @return MPI_SUCCESS, or: on all ranks alike MPI_ERR_OTHER (a body returned other than 0; the text
 *         has its task, rank and value) or MPI_ERR_NO_MEM (a rank has no group numbers left: @ref
 *         group, or no memory for a task; the other ranks of this task may then wait for it, as in
 *         any collective, until CAUCUS_TIMEOUT). Tasks that were not started are dropped then, and
 *         the pool can be used again. MPI_ERR_ARG (CAUCUS_POOL_NULL, called by a body).
 */
int caucus_pool_run(caucus_pool pool);

/** What one rank has done since the pool was opened. */
typedef struct {
    MPI_Count tasks;    /**< Tasks in which this rank took part. */
    MPI_Count messages; /**< Messages sent by the pool itself. */
    double waited;      /**< Seconds that a worker waited for tasks. */
} caucus_pool_counters;

/**
 * Reports what this rank has done since the pool was opened. Local.
 *
 * @param[in] pool      A pool.
 * @param[out] counters The counters of this rank.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_POOL_NULL or a null pointer).
 */
int caucus_pool_statistics(caucus_pool pool, caucus_pool_counters *counters);

/**
 * Closes a pool. Tasks that were submitted since the last run are dropped.
 *
 * Collective over the pool; not to be called by a body.
 *
 * @param[in,out] pool The pool; becomes CAUCUS_POOL_NULL.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null pointer, CAUCUS_POOL_NULL, called by a body).
 */
int caucus_pool_close(caucus_pool *pool);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
