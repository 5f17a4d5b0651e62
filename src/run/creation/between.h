/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaders of two groups tell each other who their members are. */
#ifndef CAUCUS_RUN_CREATION_BETWEEN_H
#define CAUCUS_RUN_CREATION_BETWEEN_H

#include "run/creation/creation.h"

/* So many int32_t each way; both call, at any time. tag is for them alone on the room's
 * communicator.
 */
int caucus_creation_swap(const struct caucus_attachment *attachment, int leader, int tag,
                         const void *out, int count, void *in, int room);

/* Both call; tag is for them alone on the room's communicator. *shared becomes a rank of the
 * attachment that is in both lists, the same on both, if there is one. */
int caucus_creation_compare(const struct caucus_attachment *attachment, int leader, int tag,
                            int32_t count, const int32_t *ranks, int *shared);

/* Leaders of two groups come together, right before MPI_Intercomm_create with that tag. */
int caucus_creation_greet(const struct caucus_attachment *attachment, int leader, int tag);

#endif
