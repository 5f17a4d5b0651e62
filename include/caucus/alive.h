/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Light groups of the members that are alive, after processes have died.
 */
#ifndef CAUCUS_ALIVE_H
#define CAUCUS_ALIVE_H

#include <caucus/group_object.h>

#include <mpi.h>

/**
 * @defgroup alive Groups after failures
 * @brief The living members of a list find each other, and agree on one light group.
 *
 * This works over a communicator that has dead ranks. Only the members take part, and no new MPI
 * communicator is made. All collectives and messages work on the group (caucus/group.h).
 *
 * @code
 * caucus_comm_attach(comm);                                      // before anybody dies
 * caucus_group_create_alive(comm, members, n, 10.0, &group);     // by the living members
 * int code = caucus_group_allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, group);
 * if (code != MPI_SUCCESS)                                       // a member has died
 *     caucus_group_shrink_alive(group, 10.0, &smaller);          // by the living members
 * @endcode
 *
 * Who must call: all living members of the list, with the same list, and no other rank. The
 * communicator must have been attached before anybody died, because attaching is collective. Calls
 * with the same list are told apart by their order, as collectives are in MPI. Where lists have
 * ranks in common, one thread at a time must call.
 *
 * What is agreed on: the group has all members of the list, in its order, that were alive when the
 * members were fixed; a member that dies later may be in it. Either all living members get this
 * group, or all get an error:
 * - MPI_ERR_OTHER: members that are not known to be dead did not call in time. The text names them,
 *   as ranks of the communicator. The others may try a shorter list at once. A member that calls
 *   late with the old list gets the same error.
 * - MPI_ERR_ARG: members passed different lists. This is found if messages for different lists
 *   meet; members whose lists have too little in common time out instead. No rank gets a group that
 *   is not of its own list. A member that passed another list by mistake has made one call fewer
 *   with the right list than the others: its first call with that fails with the same error, and
 *   its second call matches those of the others.
 * - MPI_ERR_PENDING: this member does not know what the others got; only where MPI does not report
 *   failures (below).
 * - MPI_ERR_INTERN: other members regard this process as dead, or MPI has failed.
 *
 * Found before any message, on the rank that errs only: MPI_ERR_COMM (MPI_COMM_NULL, an
 * intercommunicator, not attached), MPI_ERR_ARG (a null pointer, a negative n, a rank that is not
 * in the communicator or in the list twice, a timeout that is not positive and finite),
 * MPI_ERR_NO_MEM. Errors are raised at the error handler of the communicator.
 *
 * Timeouts are in seconds, and should be the same on all members. A member that does not call is
 * given up after half of the timeout, which restarts when the first living member dies.
 *
 * Where MPI reports failures (caucus_failures_detected: Open MPI 5 with mpiexec --with-ft ulfm),
 * the guarantees above hold whatever process dies at whatever moment, provided that what MPI
 * reports is true, and that members that have returned call Caucus again: if a member died before
 * it passed the result on, the others do so in every call that waits and when the communicator is
 * freed. A call takes as long as MPI takes to report the failures.
 *
 * Where MPI does not report failures, a dead member cannot be told from a slow one. Any death, and
 * any member that is slower than the timeout, makes the call fail: leave out the ranks that the
 * text names, and try again. A member that had agreed to a group and then hears nothing for the
 * timeout gets MPI_ERR_PENDING: others may have the group or an error. This member takes no part in
 * that group, nor in later calls with the same list. Still, no two members get different groups
 * from one call, and no member has the group while another living member has an error other than
 * MPI_ERR_PENDING. Two parts of a list that cannot reach each other may each form a group from
 * shorter lists; if that must not happen, accept a group only if it has more than half of the list.
 *
 * Other calls and failures: the functions of caucus/group.h, caucus/group_merge.h and
 * caucus/group_comm.h that make groups or communicators, and the first use of a group made without
 * a message, do not agree on failures. Where MPI reports failures, a member that waits for a dead
 * one gets MPIX_ERR_PROC_FAILED, and a text that names it, while other members may have the group.
 * Elsewhere such a call ends with CAUCUS_TIMEOUT, if that is set; a call of MPI's own that it makes
 * once all have met may never end.
 *
 * A group that loses a member: its collectives fail or, with CAUCUS_TIMEOUT, end with an error.
 * Then its living members call caucus_group_shrink_alive. Buffers of a collective that failed
 * belong to the caller again. For that, messages are sent from and received into copies where MPI
 * reports failures or CAUCUS_TIMEOUT is set: these take as much memory as the largest step of the
 * algorithm sends and receives, and after a failure it is not released before the process ends. The
 * tags of a group that has lost members are not used again. Open MPI's MPI_Finalize (5.0.11) may
 * never return after a failure: end by _exit or MPI_Abort.
 *
 * Cost: if no member is dead, 4 (n - 1) messages of 81 bytes for n members, in 4 log2 n steps one
 * after the other, and half as many later for which no call waits. Memory: O(n) until then, 40
 * bytes for each list afterwards. Messages name dead members in at most n / 8 bytes.
 *
 * Source: our own protocol, checked by an exhaustive search (docs/development/groups.md).
 * docs/groups.md is the guide.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a group of those ranks in a list that are alive.
 *
 * Collective over the living members of the list.
 *
 * @param[in] comm    The parent, an attached intracommunicator; may have dead ranks.
 * @param[in] members @p n ranks of @p comm, the same list on all members. Copied.
 * @param[in] n       Length of the list, at least 0.
 * @param[in] timeout Seconds, positive and finite.
 * @param[out] group  The group, to be freed by caucus_group_free; CAUCUS_GROUP_NULL on a rank that
 *                    is not in the list (with MPI_SUCCESS, without a message), and after an error.
 * @return MPI_SUCCESS, or an error as described in @ref alive.
 */
int caucus_group_create_alive(MPI_Comm comm, const int members[], int n, double timeout,
                              caucus_group *group);

/**
 * Makes a group of those members of a group that are alive, in their order. The old group stays,
 * and each member frees it.
 *
 * Collective over the living members of @p group.
 *
 * @param[in] group     A group, which may have dead members.
 * @param[in] timeout   Seconds, positive and finite.
 * @param[out] newgroup The new group, to be freed by caucus_group_free; CAUCUS_GROUP_NULL after an
 *                      error.
 * @return MPI_SUCCESS, or an error as described in @ref alive; MPI_ERR_ARG also for
 *         CAUCUS_GROUP_NULL.
 */
int caucus_group_shrink_alive(caucus_group group, double timeout, caucus_group *newgroup);

/**
 * Makes an MPI communicator of all members of a group whose parent has dead ranks, for windows,
 * files and other libraries. On Open MPI, caucus_group_to_comm fails over such a parent, even if
 * all members of the group are alive.
 *
 * Collective over the group, to be called right after the group was made. The members agree that
 * all are alive and have called, MPI makes the communicator (MPI_Comm_create_from_group), and they
 * agree that all have it. So all living members get it, or all get an error.
 *
 * One case cannot be saved: if a member dies while MPI makes the communicator, Open MPI 5.0.11
 * crashes or never returns. A thread watches the call, and ends the process with a message if it
 * does not return within @p timeout seconds.
 *
 * @param[in] group    A group all of whose members are alive.
 * @param[in] timeout  Seconds, positive and finite.
 * @param[out] newcomm The communicator, to be freed by MPI_Comm_free; MPI_COMM_NULL after an error.
 *                     It has the error handler of the parent. After an error that left some members
 *                     with a communicator, it is not freed where MPI reports failures.
 * @return MPI_SUCCESS, or: MPI_ERR_OTHER (a member has died, so shrink the group first, or does not
 *         call within @p timeout), MPI_ERR_UNSUPPORTED_OPERATION (this MPI has no
 *         MPI_Comm_create_from_group, which is new in MPI-4; the group can still be used),
 *         MPI_ERR_COMM (the parent was not attached by caucus_comm_attach), MPI_ERR_ARG, or another
 *         error as described in @ref alive.
 */
int caucus_group_to_comm_alive(caucus_group group, double timeout, MPI_Comm *newcomm);

/**
 * Tells whether MPI reports failures of processes in this run. Local; any thread.
 *
 * @param[out] detected 1 if it does, else 0.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null pointer), raised at MPI_COMM_SELF.
 */
int caucus_failures_detected(int *detected);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
