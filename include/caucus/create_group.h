/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief MPI communicators that are made by their members alone.
 */
#ifndef CAUCUS_CREATE_GROUP_H
#define CAUCUS_CREATE_GROUP_H

#include <mpi.h>

/**
 * @defgroup create_group MPI communicators made by their members
 * @brief MPI_Comm_create_group, with checks and without the faults of implementations.
 *
 * The other ranks of the parent communicator take no part and may be busy with anything.
 * docs/groups.md is the guide. caucus/group_comm.h makes MPI communicators out of light groups.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a communicator of the processes of an MPI group, as MPI_Comm_create_group does. The result
 * is an ordinary MPI communicator, with the group's order of ranks and the error handler of
 * @p comm; it has no attributes, hints or topology.
 *
 * @code
 * caucus_comm_attach(comm);                             // once, by all ranks of comm
 * ...
 * caucus_comm_create_group(comm, group, tag, &made);    // by the processes in group only
 * ...
 * MPI_Comm_free(&made);
 * @endcode
 *
 * Collective over the processes of @p group; no other process needs to call it. A process that is
 * not in the group gets MPI_COMM_NULL and MPI_SUCCESS, and sends no message; with an empty group so
 * does every process. @p comm must have been attached by caucus_comm_attach, because members alone
 * cannot attach it. Groups that have two or more processes in common must be created in the same
 * order on these processes, or by different threads with different tags.
 *
 * Messages: all travel on private communicators, so that no receive of the program gets one, not
 * even a receive from MPI_ANY_SOURCE with MPI_ANY_TAG. First the n members wait for each other and
 * compare their arguments, by 2 (n - 1) messages of at most 48 bytes, at most 2 log2 n of them one
 * after the other, and twice as many if a member has CAUCUS_TIMEOUT set. Active requests of Caucus
 * make progress meanwhile. Then the communicator is made by the algorithm that the setting
 * CAUCUS_CREATE_GROUP names, which must be the same on all members:
 *
 * - native: MPI_Comm_create_group on a private communicator, at MPI's own cost.
 * - recursive_merge: intercommunicators that are merged, in O(log^2 n) time. Source: J. Dinan et
 *   al., Noncollective communicator creation in MPI, EuroMPI 2011, Algorithm 1.
 * - parentless: MPI_Comm_create_from_group (MPI-4). Works if dead processes of @p comm are not
 *   members.
 *
 * Memory: O(n) during the call. @p comm keeps 16 bytes or more for each pair of a member and a tag
 * that was ever used with it.
 *
 * Threads: several threads may create communicators at the same time with different tags, with the
 * algorithm native only; with the others MPI libraries hang.
 *
 * Errors. Each process checks its own arguments before it sends a message. If the members then find
 * that they differ, all members that found the difference get MPI_ERR_GROUP. If a member errs alone
 * or never calls, the others wait for it, as in MPI; with CAUCUS_TIMEOUT they get MPI_ERR_OTHER,
 * and the text names its rank. Members agree on giving up: if the last member arrives just when
 * others give up, either all go on to create the communicator or all get the error. For that, a
 * member that has arrived in the second round waits for the others without a limit. After such an
 * error, members must use another tag, unless the missing member makes the call later (which gets
 * the error too). If MPI reports that a member has failed, MPI_ERR_OTHER names it; this is not
 * agreed on, so other members may wait in MPI's own call.
 *
 * @param[in] comm     An attached intracommunicator that contains all processes of @p group.
 * @param[in] group    The members, in the order of their ranks in the new communicator; the same
 *                     on all members. May be freed when the call returns.
 * @param[in] tag      0 to MPI_TAG_UB, the same on all members. Unrelated to the tags of messages.
 *                     One tag may be used for any number of calls one after the other.
 * @param[out] newcomm The new communicator, to be freed by MPI_Comm_free; MPI_COMM_NULL after an
 *                     error or if the process is not in the group.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM (MPI_COMM_NULL, an intercommunicator, not attached),
 *         MPI_ERR_ARG (@p newcomm is NULL, an unknown algorithm), MPI_ERR_GROUP (MPI_GROUP_NULL, a
 *         process that is not in @p comm, members with different groups, orders or algorithms; the
 *         text names a rank), MPI_ERR_TAG, MPI_ERR_UNSUPPORTED_OPERATION (this MPI lacks what the
 *         algorithm needs), MPI_ERR_OTHER (a member did not call in time, or has failed),
 *         MPI_ERR_NO_MEM.
 */
int caucus_comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
