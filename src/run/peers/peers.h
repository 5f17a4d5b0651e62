/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that come to something together, and the small collectives that this takes: MPI's own where
 * they are all of a communicator, else messages along trees over the communicator that they are
 * ranks of, while all active executions of the process move on. */
#ifndef CAUCUS_RUN_PEERS_PEERS_H
#define CAUCUS_RUN_PEERS_PEERS_H

#include <mpi.h>
#include <stdbool.h>

struct caucus_peers {
    MPI_Comm comm;      /* it returns errors */
    int rank, size;     /* this rank among them */
    const int *rank_of; /* in comm, of each; NULL: they are all of comm, in its order */
    int tag;            /* of their messages in comm; not used where they are all of it */
    bool unnamed;       /* texts of errors name none of them: their ranks mean nothing to others */
};

/* All ranks of comm. */
struct caucus_peers caucus_peers_all(MPI_Comm comm);

/* The same of a communicator of some ranks, all of which tell what they came to to the rest, where
 * the lowest of them is named: so only that one may have failed. */
struct caucus_peers caucus_peers_some(MPI_Comm comm);

/* Each is called by all of them, in the same order, by one thread at a time. Types are MPI's own.
 */

/* root's data to all. */
int caucus_peers_bcast(const struct caucus_peers *peers, void *data, int count, MPI_Datatype type,
                       int root);

/* Everybody's operands combined, to all; in may be MPI_IN_PLACE. */
int caucus_peers_allreduce(const struct caucus_peers *peers, const void *in, void *out, int count,
                           MPI_Datatype type, MPI_Op op);

/* A block of each to all; and of counts[peer] elements, which follow one another in out without
 * gaps from places[peer]. */
int caucus_peers_allgather(const struct caucus_peers *peers, const void *in, int count,
                           MPI_Datatype type, void *out);
int caucus_peers_spread_lists(const struct caucus_peers *peers, const void *in, const int *counts,
                              const int *places, MPI_Datatype type, void *out);

/* A block from each to each. */
int caucus_peers_alltoall(const struct caucus_peers *peers, const void *in, int count,
                          MPI_Datatype type, void *out);

/* One of them who is known to be dead; -1. Local. */
int caucus_peers_dead(const struct caucus_peers *peers, int *dead);

/* Until all of them are here, while everything active moves on. */
int caucus_peers_meet(const struct caucus_peers *peers);

/* Waits until all ranks of comm are here, while everything of this process moves on:
 * before a call that may block within MPI, because another rank may need what is active here to
 * come there at all. Collective over comm. */
int caucus_come_together(MPI_Comm comm);

/* The highest of the values of all ranks, in place. Collective over comm; blocks within MPI. */
int caucus_highest(MPI_Comm comm, int *value);

/* The highest of the values of all ranks, in both groups of an intercommunicator, in place.
 * Collective over both; blocks within MPI. */
int caucus_highest_of_groups(MPI_Comm inter, int *value);

#endif
