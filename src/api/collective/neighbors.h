/* SPDX-License-Identifier: BSD-3-Clause */
/* Who the neighbours of this rank are, and which block of the user's belongs to each. */
#ifndef CAUCUS_API_COLLECTIVE_NEIGHBORS_H
#define CAUCUS_API_COLLECTIVE_NEIGHBORS_H

#include <mpi.h>
#include <stdint.h>

/* In the order of the task: the n-th destination b of a rank a meets the n-th source a of b.
 * Neighbours beyond an open end of a grid are left out. */
struct caucus_neighbors {
    int32_t sources, destinations;
    int32_t *source, *destination;
    int32_t *receive_block, *send_block; /* the number of the user's block */
    int32_t receive_blocks, send_blocks; /* how many the user has */
};

/* Fails where comm has no topology. Local. */
int caucus_neighbors_create(MPI_Comm comm, struct caucus_neighbors *neighbors);
void caucus_neighbors_free(struct caucus_neighbors *neighbors);

#endif
