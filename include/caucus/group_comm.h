/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of MPI's own out of light groups (caucus/group.h), where windows, files or other
 * libraries are to work on one: made by the members alone.
 *
 * Who must call: all members of the group, in the same order as its other collectives, and nobody
 * else. The communicator that the group was made of must have been attached by caucus_comm_attach,
 * which makes the private communicator that MPI's own messages go on, so that no receive of the
 * user's can get one. What is made has the group's order of ranks, that communicator's error
 * handler (MPI_COMM_SELF's, where it is freed), no attributes, and is the user's to free.
 *
 * Errors: a null group or request raises at MPI_COMM_SELF, all else with the handler above.
 * MPI_ERR_COMM where the communicator was not attached by caucus_comm_attach; MPI_ERR_ARG on all
 * members where one of them gave a null pointer, other arguments than others, or wrong ones, with
 * the rank in the communicator of one that did; MPI_ERR_OTHER, with its rank, where one does not
 * come within CAUCUS_TIMEOUT. What is made is then MPI_COMM_NULL.
 *
 * Cost: the members meet, by 2 (n - 1) messages of 48 bytes, then MPI_Comm_create_group's own. */
#ifndef CAUCUS_GROUP_COMM_H
#define CAUCUS_GROUP_COMM_H

#include <caucus/group_object.h>
#include <caucus/request.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An intracommunicator of the group's members. The algorithm is that of CAUCUS_CREATE_GROUP, as for
 * caucus_comm_create_group. */
int caucus_group_to_comm(caucus_group group, MPI_Comm *newcomm);

/* The same behind a request, as far as MPI allows, which has no such call that does not wait: the
 * members meet without waiting; when all have begun, each makes MPI's own blocking call within its
 * next caucus_test or caucus_wait of any request, and stays there until the last one has come to
 * its own. So nobody waits for members that have not begun, only for those that compute between two
 * tests. Several of them are made in the order in which this process began them, and
 * caucus_group_to_comm, caucus_intercomm_create_group and caucus_comm_create_group wait for those
 * that it began before: begin all of these in an order in which blocking calls would end. Other
 * calls that wait inside MPI know nothing of them: complete them before MPI's own collectives, and
 * before a communicator is attached by its first collective, among ranks that share one. *newcomm
 * is set when the request completes, and must stay where it is until then. */
int caucus_group_ito_comm(caucus_group group, MPI_Comm *newcomm, caucus_request *request);

/* An intercommunicator between two light groups of one communicator that share no rank, as
 * MPI_Intercomm_create makes it of two communicators. All members of both groups call, each with
 * its own group, the rank in it of its leader, and the rank in the communicator of the other
 * group's leader. tag is the same on both sides, from 0 to 2^31 - 1, and apart from those of
 * messages; creations between the same two leaders come in the same order on both, or have
 * different tags. CAUCUS_CREATE_GROUP is how each group's own communicator is made on the way, and
 * the same on all its members. If anything is wrong on one side, the other one gets MPI_ERR_ARG
 * too. Where groups share a rank the leaders get MPI_ERR_GROUP, which names it, and the others
 * MPI_ERR_ARG.
 * Cost besides: the leaders' exchange of their lists, and again of how their sides fared, a
 * broadcast of 8 bytes in each group, and MPI_Intercomm_create's own. */
int caucus_intercomm_create_group(caucus_group local, int local_leader, int remote_leader, int tag,
                                  MPI_Comm *newintercomm);

#ifdef __cplusplus
}
#endif

#endif
