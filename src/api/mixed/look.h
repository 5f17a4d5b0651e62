/* SPDX-License-Identifier: BSD-3-Clause */
/* One look at an array of requests that was taken apart: what MPI_Testall, MPI_Testany and
 * MPI_Testsome do, once or until they succeed. */
#ifndef CAUCUS_API_MIXED_LOOK_H
#define CAUCUS_API_MIXED_LOOK_H

#include "api/mixed/split.h"

int caucus_look_any(struct caucus_split *split, int *index, int *flag, MPI_Status *status);
int caucus_look_some(struct caucus_split *split, int *completed, int indices[],
                     MPI_Status statuses[]);

/* Whether all native ones are complete; their outcome is in split then, and for_all ends all. */
int caucus_look_natives(struct caucus_split *split, int *flag);

/* Ends all: waits for ours, if the native ones, of which native_code tells, did not fail. */
int caucus_look_end(struct caucus_split *split, int native_code, MPI_Status statuses[]);

/* Whether all of ours are complete, without ending any. */
bool caucus_look_at_ours(const struct caucus_split *split);

#endif
