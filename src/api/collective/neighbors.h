/* SPDX-License-Identifier: BSD-3-Clause */
/* Who the neighbours of this rank are, and which block of the user's belongs to each. */
#ifndef CAUCUS_API_COLLECTIVE_NEIGHBORS_H
#define CAUCUS_API_COLLECTIVE_NEIGHBORS_H

#include <mpi.h>
#include <stdint.h>

/* In the order of the task: the n-th destination b of a rank a meets the n-th source a of b.
 * Neighbours beyond an open end of a grid are left out. */
struct caucus_neighbors {
    struct caucus_neighbor_list {
        int32_t count;
        int32_t *rank;
        int32_t *block; /* the number of the user's block */
        int32_t blocks; /* how many the user has */
    } sources, destinations;
};

/* Fails where comm has no topology. Local. */
int caucus_neighbors_create(MPI_Comm comm, struct caucus_neighbors *neighbors);
void caucus_neighbors_free(struct caucus_neighbors *neighbors);

#endif
