/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives of peers.h by messages, for peers that are not all of a communicator. */
#ifndef CAUCUS_RUN_PEERS_MESSAGES_H
#define CAUCUS_RUN_PEERS_MESSAGES_H

#include "run/peers/peers.h"

int caucus_peers_tree_tell(const struct caucus_peers *peers, void *data, int count,
                           MPI_Datatype type, int root);
int caucus_peers_tree_combine(const struct caucus_peers *peers, const void *in, void *out,
                              int count, MPI_Datatype type, MPI_Op op);

/* counts and places are NULL where all blocks have `own` elements. */
int caucus_peers_gather_to_all(const struct caucus_peers *peers, const void *in, int own,
                               const int *counts, const int *places, MPI_Datatype type, void *out);
int caucus_peers_each_to_each(const struct caucus_peers *peers, const void *in, int count,
                              MPI_Datatype type, void *out);
int caucus_peers_rounds(const struct caucus_peers *peers);

#endif
