/* SPDX-License-Identifier: BSD-3-Clause */
/* Pools: tasks ask for so many ranks each; idle ranks are batched into a group for the next task,
 * while all others go on with theirs.
 *
 *   static int body(void *context, caucus_pool pool, caucus_group group, const void *task) {
 *       const struct molecule *molecule = task;
 *       ... with collectives and messages on group; may submit more tasks ...
 *       return 0;
 *   }
 *   caucus_pool_options options = {.body = body, .task_bytes = sizeof(struct molecule)};
 *   caucus_pool_open(comm, &options, &pool);
 *   if (rank == 0)
 *       for (int i = 0; i < n; i++)
 *           caucus_pool_submit(pool, molecule[i].size / 100 + 1, &molecule[i]);
 *   caucus_pool_run(pool);                       all ranks; until all tasks are done
 *   caucus_pool_close(&pool);
 *
 * Rank 0 hands tasks out and works on none, unless it is alone: a pool of p ranks has p - 1
 * workers. Groups are light ones (caucus/group.h) that cost no message of their own: a task for k
 * ranks takes k messages to start, and each rank says once that it is ready again.
 *
 * Tasks are begun in the order in which they come to rank 0: those of one rank in the order it
 * submitted them. Where the next one needs more ranks than are idle, idle ranks are kept for it;
 * with options.passes, tasks behind it that need fewer may pass it so many times.
 *
 * Every function returns an MPI error code after calling the error handler of the communicator that
 * the pool was opened on (that of MPI_COMM_SELF for CAUCUS_POOL_NULL). One thread at a time calls
 * functions on a pool. A rank waits for tasks of others as long as they take, whatever
 * CAUCUS_TIMEOUT says.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, section 2.3, which tells of
 * J. Nieplocha et al., Integrated data and task management for scientific applications, ICCS 2008.
 */
#ifndef CAUCUS_POOL_H
#define CAUCUS_POOL_H

#include <caucus/group_object.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caucus_pool_object *caucus_pool;

#define CAUCUS_POOL_NULL ((caucus_pool)0)

/* Called on each rank of a task's group, whose ranks ascend as those of the communicator do. group
 * goes when it returns (requests that are left keep it); task is valid until then. It may submit
 * tasks. Other than 0: the task has failed, no more tasks are begun, and caucus_pool_run tells all
 * ranks, when those that run are done. */
typedef int caucus_pool_body(void *context, caucus_pool pool, caucus_group group, const void *task);

typedef struct {
    caucus_pool_body *body;
    void *context;  /* given to body */
    int task_bytes; /* of a task, which are copied; at least 0, the same on all ranks */
    int passes;     /* how often smaller tasks may pass one that waits for ranks; on rank 0 */
} caucus_pool_options;

/* Collective over comm, an intracommunicator, which is attached if it is not; takes a context id.
 * Errors, on all ranks: MPI_ERR_COMM (null, two groups), MPI_ERR_ARG (null pointers, negative
 * numbers, task_bytes above 2^20 or different), MPI_ERR_NO_MEM. */
int caucus_pool_open(MPI_Comm comm, const caucus_pool_options *options, caucus_pool *pool);

/* A task for so many ranks: 1 to p - 1, or 1 where there is one. By any rank, between runs or in a
 * body. Local. Errors: MPI_ERR_ARG (too few or too many ranks, a null pointer). */
int caucus_pool_submit(caucus_pool pool, int ranks, const void *task);

/* Does all tasks that were submitted before and meanwhile, by any rank. Collective over the pool,
 * may be called again. Errors: on all ranks alike MPI_ERR_OTHER where a body has failed, with its
 * rank and what it returned in words, and MPI_ERR_NO_MEM where one has no more numbers of groups;
 * the tasks that were not begun are dropped, and the pool is as good as new. MPI_ERR_ARG (called by
 * a body). */
int caucus_pool_run(caucus_pool pool);

typedef struct {
    MPI_Count tasks;    /* this rank took part in */
    MPI_Count messages; /* sent */
    double waited;      /* seconds for tasks, of ranks that work */
} caucus_pool_counters;

/* What this rank has done since it was opened. Local. */
int caucus_pool_statistics(caucus_pool pool, caucus_pool_counters *counters);

/* Tasks that were submitted since the last run are dropped. Collective over the pool; pool becomes
 * CAUCUS_POOL_NULL. MPI_ERR_ARG (called by a body). */
int caucus_pool_close(caucus_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
