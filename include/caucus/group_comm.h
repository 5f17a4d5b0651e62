/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief MPI communicators made out of light groups.
 */
#ifndef CAUCUS_GROUP_COMM_H
#define CAUCUS_GROUP_COMM_H

#include <caucus/group_object.h>
#include <caucus/request.h>

#include <mpi.h>

/**
 * @defgroup group_comm MPI communicators of light groups
 * @brief For windows, files, and libraries that need an MPI_Comm.
 *
 * @code
 * caucus_group_to_comm(group, &made);    // by all members
 * MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, made, &base, &window);
 * @endcode
 *
 * Collective over the members of the group (caucus_intercomm_create_group: of both groups), in the
 * same order as other collectives of the group; no other rank takes part. The parent communicator
 * must have been attached by caucus_comm_attach itself (that a collective attached it is not
 * enough), because MPI's own messages travel on a second private duplicate that only this call
 * makes. So no receive of the program gets one of them.
 *
 * The communicator has the group's order of ranks, the error handler of the parent (of
 * MPI_COMM_SELF if the parent has been freed), and no attributes. It is independent of the group,
 * and to be freed by MPI_Comm_free.
 *
 * Errors, raised at that error handler (at that of MPI_COMM_SELF for a null group or a null pointer
 * to a request); the communicator is MPI_COMM_NULL then:
 * - MPI_ERR_COMM: the parent was not attached by caucus_comm_attach.
 * - MPI_ERR_ARG on all members: a member passed a null pointer or wrong arguments, or arguments
 *   differ. The text names such a member by its rank in the parent. A member that passes a wrong
 *   leader or tag to caucus_intercomm_create_group itself gets MPI_ERR_RANK or MPI_ERR_TAG.
 * - MPI_ERR_UNSUPPORTED_OPERATION: this MPI lacks what CAUCUS_CREATE_GROUP asks for.
 * - MPI_ERR_OTHER on all members: one does not call within CAUCUS_TIMEOUT; the text names it. It
 *   gets the error too if it calls later. Until it does, no creation on this group can work.
 * - MPIX_ERR_PROC_FAILED if a member that is waited for has died, where MPI reports failures
 *   (caucus/alive.h); the text names it. Other members may have the communicator.
 * - MPI_ERR_NO_MEM.
 *
 * CAUCUS_TIMEOUT ends waits for members that do not call. Nothing can end the wait for one that has
 * called, and then dies or is stopped: once all members have met, MPI's own call makes the
 * communicator, and it has no limit.
 *
 * Cost: 2 (n - 1) messages of 48 bytes for n members, 4 (n - 1) with CAUCUS_TIMEOUT (members then
 * agree on whether to give up), and that of MPI_Comm_create_group.
 *
 * Threads: as for caucus_comm_create_group.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an intracommunicator of a group's members, by the algorithm that CAUCUS_CREATE_GROUP names
 * (caucus_comm_create_group).
 *
 * @param[in] group    A group.
 * @param[out] newcomm The communicator.
 * @return MPI_SUCCESS, or an error as described in @ref group_comm.
 */
int caucus_group_to_comm(caucus_group group, MPI_Comm *newcomm);

/**
 * The nonblocking form of caucus_group_to_comm, as far as MPI allows: MPI has no nonblocking call
 * that makes a communicator of some processes.
 *
 * When all members have called, each makes MPI's blocking call within its next caucus_test or
 * caucus_wait of any request, and stays in it until the last member has come to its own. So no
 * member waits for others that have not called, only for those that compute between two tests:
 * within MPI, so that CAUCUS_TIMEOUT does not limit this wait.
 *
 * Order: several requests of a thread are served in the order of their calls, and
 * caucus_group_to_comm, caucus_intercomm_create_group and caucus_comm_create_group first wait for
 * those that this thread has pending. So call all of these in an order in which the blocking forms
 * would not deadlock, and let each thread wait for its own. Other calls that wait inside MPI make
 * no progress on them: complete the requests before MPI's own collectives, and before the first
 * collective of Caucus on a communicator (which attaches it), if these involve the same ranks.
 *
 * @param[in] group    A group.
 * @param[out] newcomm Set to the communicator when @p request completes; must stay where it is
 *                     until then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_REQUEST, MPI_ERR_ARG, MPI_ERR_COMM,
 *         MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_NO_MEM, on this rank only. What concerns all
 *         members is the error of the request.
 */
int caucus_group_ito_comm(caucus_group group, MPI_Comm *newcomm, caucus_request *request);

/**
 * Makes an intercommunicator between two light groups of the same communicator that share no rank,
 * as MPI_Intercomm_create does between two communicators.
 *
 * Collective over the members of both groups, each with its own group. Creations between the same
 * two leaders must come in the same order on both, or have different tags. CAUCUS_CREATE_GROUP says
 * how each group's own communicator is made on the way; it must be the same on all its members.
 *
 * Errors: if something is wrong in one group, the members of the other one get MPI_ERR_ARG. If the
 * groups share a rank, all get MPI_ERR_GROUP, which names it. If a member of either group does not
 * call within CAUCUS_TIMEOUT, all of both groups get MPI_ERR_OTHER, which names it; those of the
 * other group may wait twice as long, as CAUCUS_TIMEOUT counts from each group's calls.
 *
 * Cost beyond that (see @ref group_comm): the leaders meet by 4 messages of 48 bytes, and exchange
 * their lists of members and whether their groups succeeded; a broadcast of 12 bytes in each group;
 * MPI_Intercomm_create.
 *
 * @param[in] local          The group of the calling rank.
 * @param[in] local_leader   Rank in @p local of its leader, the same on all its members.
 * @param[in] remote_leader  Rank in the parent communicator of the other group's leader, the same
 *                           on all members of @p local.
 * @param[in] tag            0 to 2^31 - 1, the same on both sides; unrelated to the tags of
 *                           messages.
 * @param[out] newintercomm  The intercommunicator.
 * @return MPI_SUCCESS, or an error as above and in @ref group_comm.
 */
int caucus_intercomm_create_group(caucus_group local, int local_leader, int remote_leader, int tag,
                                  MPI_Comm *newintercomm);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
