/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be gone when MPI is finalized. Threads that call MPI, and what is ours on communicators
 * that the user does not free: MPI_COMM_WORLD, which nobody frees, and intercommunicators. Open
 * MPI 5.0.11 crashes in MPI_Finalize where a union with spawned processes is left. */
#ifndef CAUCUS_RUN_SUPPORT_LAST_H
#define CAUCUS_RUN_SUPPORT_LAST_H

#include <mpi.h>

/* Has clean_up called with both when MPI is finalized, the last kept first, unless what is kept is
 * forgotten before. Does nothing for communicators that can stay. */
int caucus_last_keep(MPI_Comm comm, void *kept, void (*clean_up)(MPI_Comm comm, void *kept));

/* The same for what belongs to no communicator. Fails in programs that have not called MPI_Init:
 * those of sessions have no such end. */
int caucus_last_keep_alone(void *kept, void (*clean_up)(MPI_Comm comm, void *kept));

/* For the callback that deletes it; any thread. */
void caucus_last_forget(const void *kept);

#endif
