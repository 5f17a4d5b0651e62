/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_ATTACHMENT_MACHINE_SHARE_H
#define CAUCUS_RUN_ATTACHMENT_MACHINE_SHARE_H

#include <mpi.h>

/* How many ranks of comm, rounded up, there are for each processor that they may run on: on the
 * machine of this rank, whatever else was said to be a node. Collective over comm. */
int caucus_ranks_per_core(MPI_Comm comm, int *ranks_per_core);

#endif
