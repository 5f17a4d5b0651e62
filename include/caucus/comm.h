/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_COMM_H
#define CAUCUS_COMM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prepares a communicator for Caucus: makes a private duplicate that carries all of Caucus's own
 * traffic, finds the nodes, and reserves what collectives need, node memory too. Collective over
 * comm; a second call does nothing. Calls that are collective anyway attach by themselves, so for
 * them this is only a way to pay earlier; calls of some ranks only (caucus/create_group.h) need it,
 * and have a second duplicate. What is made is kept as an attribute of comm, takes O(nodes) memory
 * a rank and four context ids, and goes when comm is freed or disconnected, or with the last
 * request on it. Duplicates of comm are attached anew. Errors: MPI_ERR_COMM for MPI_COMM_NULL;
 * MPI_ERR_ARG for a malformed CAUCUS_NODES, on every rank.
 *
 * An intercommunicator is attached by both groups together, and its private communicator is one of
 * both groups. What either has pending on comm is not touched: a receive from MPI_ANY_SOURCE with
 * MPI_ANY_TAG never gets a message of Caucus's. Groups may be of one program, or of several that
 * MPI_Comm_spawn or MPI_Comm_connect brought together; CAUCUS_NODES describes the ranks of one
 * MPI_COMM_WORLD, so across several worlds the nodes are those that MPI tells, and so is what
 * memory is shared. After MPI_Comm_disconnect neither side waits for the other, unless a request on
 * comm is left that is active. Where comm is neither freed nor disconnected, MPI_Finalize cleans
 * up. */
int caucus_comm_attach(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
