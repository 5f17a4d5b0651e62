/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that their members make among themselves: nobody else of the parent takes part, or
 * need be free to. docs/groups.md is the guide. */
#ifndef CAUCUS_CREATE_GROUP_H
#define CAUCUS_CREATE_GROUP_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MPI_Comm_create_group: makes *newcomm, an MPI communicator like any other, with the processes of
 * group in their order. It has no attributes, hints or topology, has comm's error handler, and is
 * the user's to free.
 *
 * Called by all processes of group, and nobody else need call. A process that is not in group gets
 * MPI_COMM_NULL and success, and so does everyone for an empty group, without a message. comm must
 * have been attached by caucus_comm_attach, since members alone cannot do that.
 *
 * No receive of the user's can get a message of this call, not even one from MPI_ANY_SOURCE with
 * MPI_ANY_TAG: the private communicators that the attached comm has carry them all. tag is from 0
 * to MPI_TAG_UB, apart from the tags of messages, and need be nothing special unless several
 * threads call at the same time on one comm: then each has its own. Groups that share two processes
 * or more are made in the same order on both of these, or by threads with different tags.
 *
 * The members meet first: 2 (n - 1) messages of 40 bytes for n members, 2 log2 n hops. Meanwhile
 * requests of Caucus that are active move on. Then the algorithm does its work that the setting
 * CAUCUS_CREATE_GROUP names, the same on all members:
 *
 *   native           MPI_Comm_create_group on a private communicator; MPI's own cost
 *   recursive_merge  J. Dinan et al., EuroMPI 2011, Algorithm 1; O(log^2 n)
 *   parentless       MPI_Comm_create_from_group (MPI-4); works over a comm with dead processes
 *
 * Several threads at a time may create natively only: MPIs hang in the others.
 *
 * Errors that every process finds by itself, before any message, so that a call in which all err
 * alike ends on all: MPI_ERR_COMM (null, two groups, not attached), MPI_ERR_ARG (newcomm is NULL,
 * an unknown algorithm), MPI_ERR_GROUP (null, or with a process that is not in comm), MPI_ERR_TAG,
 * MPI_ERR_UNSUPPORTED_OPERATION (this MPI lacks what the algorithm needs). Then all that met
 * differences get MPI_ERR_GROUP (other members, another order, another algorithm), with the rank of
 * one that differs; if one errs alone or never comes, the others wait for it as in MPI, or, with
 * CAUCUS_TIMEOUT, get MPI_ERR_OTHER with its rank. After such an error the members have to go on
 * with another tag, unless the one that did not come makes up for its call, which then gets the
 * error too. Giving up is not agreed on: if the last member comes at the very moment when others
 * give up, some may go on into MPI's own call, and wait there. A member that MPI reports to have
 * failed is an MPI_ERR_OTHER that names it. *newcomm is MPI_COMM_NULL after errors.
 *
 * Cost besides: O(n) memory and time during the call. A parent keeps 16 bytes or more for each pair
 * of a member and a tag that was ever used with it. */
int caucus_comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);

#ifdef __cplusplus
}
#endif

#endif
