/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that the user does not free, with something of ours on them that must be gone when
 * MPI is finalized: MPI_COMM_WORLD, which nobody frees, and intercommunicators. Open MPI 5.0.11
 * crashes in MPI_Finalize where a union with spawned processes is left. */
#ifndef CAUCUS_RUN_SUPPORT_LAST_H
#define CAUCUS_RUN_SUPPORT_LAST_H

#include <mpi.h>

/* Has clean_up called with comm when MPI is finalized, the last kept first, unless what is kept is
 * forgotten before. Does nothing for communicators that can stay. */
int caucus_last_keep(MPI_Comm comm, const void *kept, void (*clean_up)(MPI_Comm comm));

/* For the callback that deletes it; any thread. */
void caucus_last_forget(const void *kept);

#endif
