/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Point-to-point messages between the members of a light group.
 */
#ifndef CAUCUS_GROUP_MESSAGES_H
#define CAUCUS_GROUP_MESSAGES_H

#include <caucus/group_object.h>

#include <mpi.h>

/**
 * @defgroup group_messages Messages on light groups
 * @brief MPI_Send, MPI_Recv, MPI_Isend and MPI_Irecv with a light group in place of a communicator.
 *
 * Ranks and tags are those of the group. MPI_PROC_NULL and MPI_ANY_SOURCE are allowed, MPI_ANY_TAG
 * is not. Nonblocking forms return a request of MPI's, to be completed by MPI_Wait and the like.
 *
 * @code
 * caucus_group_send(buffer, n, MPI_DOUBLE, 1, 0, group);                        // on rank 0
 * caucus_group_recv(buffer, n, MPI_DOUBLE, 0, 0, group, MPI_STATUS_IGNORE);     // on rank 1
 * @endcode
 *
 * Groups made without a message (caucus_group_create_lazy and so on): the first operation on the
 * group waits for all members, so it must be one in which all take part.
 *
 * Progress: the blocking forms make progress for everything active in Caucus while they wait.
 * CAUCUS_TIMEOUT does not end them: as in MPI, a receive waits for ever if no message is sent.
 *
 * Failures: if ranks outside the group die, messages on the group are not affected, except that MPI
 * may return MPIX_ERR_PROC_FAILED_PENDING for a request of caucus_group_irecv with MPI_ANY_SOURCE,
 * which stays pending. If a member has died, receiving from MPI_ANY_SOURCE fails with
 * MPIX_ERR_PROC_FAILED.
 *
 * Errors are raised at the error handler of the parent communicator, on this rank only. What MPI
 * itself finds (a wrong datatype, a message longer than the buffer) is MPI_ERR_INTERN, and the text
 * has MPI's words.
 *
 * Threads: any thread, as in MPI. Cost: that of MPI's own call.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Number of tags that messages on a group may have. */
enum { CAUCUS_GROUP_TAGS = 16 /**< Tags are from 0 to 15. */ };

/**
 * Sends a message to a member, as MPI_Send in standard mode.
 *
 * @param[in] buffer      The data.
 * @param[in] count       Number of elements, at least 0.
 * @param[in] datatype    Their datatype, committed.
 * @param[in] destination A rank of @p group, or MPI_PROC_NULL.
 * @param[in] tag         0 to CAUCUS_GROUP_TAGS - 1.
 * @param[in] group       A group.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (CAUCUS_GROUP_NULL), MPI_ERR_RANK, MPI_ERR_TAG,
 *         MPI_ERR_COUNT, MPI_ERR_INTERN (what MPI itself finds), or an error of the group's
 *         creation if it was made without a message.
 */
int caucus_group_send(const void *buffer, int count, MPI_Datatype datatype, int destination,
                      int tag, caucus_group group);

/**
 * Receives a message from a member, as MPI_Recv.
 *
 * @param[out] buffer  Room for @p count elements.
 * @param[in] count    Number of elements, at least 0.
 * @param[in] datatype Their datatype, committed.
 * @param[in] source   A rank of @p group, MPI_ANY_SOURCE, or MPI_PROC_NULL.
 * @param[in] tag      0 to CAUCUS_GROUP_TAGS - 1.
 * @param[in] group    A group.
 * @param[out] status  MPI_STATUS_IGNORE, or the status, with source and tag of the group.
 * @return MPI_SUCCESS, or: errors as of caucus_group_send; MPIX_ERR_PROC_FAILED if @p source is
 *         MPI_ANY_SOURCE and a member has died.
 */
int caucus_group_recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                      caucus_group group, MPI_Status *status);

/**
 * Starts to send a message to a member, as MPI_Isend.
 *
 * @param[in] buffer      The data, which must not be changed until the request completes.
 * @param[in] count       Number of elements, at least 0.
 * @param[in] datatype    Their datatype, committed.
 * @param[in] destination A rank of @p group, or MPI_PROC_NULL.
 * @param[in] tag         0 to CAUCUS_GROUP_TAGS - 1.
 * @param[in] group       A group.
 * @param[out] request    A request of MPI's.
 * @return MPI_SUCCESS, or errors as of caucus_group_send; MPI_ERR_REQUEST (a null pointer),
 *         MPI_ERR_BUFFER (a buffer in the memory of a GPU, unless MPI says that it takes such).
 */
int caucus_group_isend(const void *buffer, int count, MPI_Datatype datatype, int destination,
                       int tag, caucus_group group, MPI_Request *request);

/**
 * Starts to receive a message from a member, as MPI_Irecv. The status that MPI reports when the
 * request completes is to be converted by caucus_group_status.
 *
 * With MPICH up to 5.0.2 at least, a receive from MPI_ANY_SOURCE never completes if a message from
 * a rank on another node had arrived before the receive was started; MPI_Irecv has the same fault.
 * caucus_group_recv, and receives from a named rank, are not affected.
 *
 * @param[out] buffer  Room for @p count elements, which must not be touched until the request
 *                     completes.
 * @param[in] count    Number of elements, at least 0.
 * @param[in] datatype Their datatype, committed.
 * @param[in] source   A rank of @p group, MPI_ANY_SOURCE, or MPI_PROC_NULL.
 * @param[in] tag      0 to CAUCUS_GROUP_TAGS - 1.
 * @param[in] group    A group.
 * @param[out] request A request of MPI's.
 * @return MPI_SUCCESS, or errors as of caucus_group_recv; MPI_ERR_REQUEST (a null pointer),
 *         MPI_ERR_BUFFER (a buffer in the memory of a GPU, unless MPI says that it takes such).
 */
int caucus_group_irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                       caucus_group group, MPI_Request *request);

/**
 * Converts the status that MPI reported for a request of caucus_group_isend or caucus_group_irecv:
 * source and tag become those of the group. Local. To be called once for each status.
 *
 * @code
 * MPI_Request request;
 * MPI_Status status;
 * caucus_group_irecv(buffer, n, MPI_INT, MPI_ANY_SOURCE, 0, group, &request);
 * MPI_Wait(&request, &status);
 * caucus_group_status(group, &status);
 * printf("from rank %d of the group\n", status.MPI_SOURCE);
 * @endcode
 *
 * @param[in] group      The group of the request.
 * @param[in,out] status The status that MPI reported.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_GROUP_NULL, a null pointer, a group that has had no
 *         operation yet).
 */
int caucus_group_status(caucus_group group, MPI_Status *status);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
