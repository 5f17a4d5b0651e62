/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI tells of processes that have died: user-level failure mitigation (ULFM), MPI 5 or as an
 * extension, where the MPI has it and was started with it (Open MPI: mpiexec --with-ft ulfm). All
 * are local, and any thread may call them.
 *
 * A death becomes known by MPI's own leisure, to each process at its own time: a receive from
 * someone who is dead fails, and so does any receive or probe from MPI_ANY_SOURCE until the deaths
 * that are known are acknowledged. What the dead one had sent may still be received after that. */
#ifndef CAUCUS_RUN_SUPPORT_FAILURE_H
#define CAUCUS_RUN_SUPPORT_FAILURE_H

#include <mpi.h>
#include <stdbool.h>

/* Whether deaths are told in this run. Where not, nobody is ever known to be dead. After MPI_Init.
 */
bool caucus_failure_detected(void);

/* Whether what an MPI function returned, or the error in a status, says that a process it needs is
 * dead (of a receive from MPI_ANY_SOURCE: that one might be needed). */
bool caucus_failure_is(int code);

/* MPIX_ERR_PROC_FAILED; MPI_ERR_INTERN where MPI has no such class. */
int caucus_failure_class(void);

/* The latter: the receive goes on once the deaths known so far are acknowledged. */
bool caucus_failure_is_pending(int code);

/* Who of comm is known to be dead: *count of them, the first `room` in ranks. O(size of comm). */
int caucus_failure_ranks(MPI_Comm comm, int ranks[], int room, int *count);

/* One of some ranks of comm who is known to be dead, by what position() makes of him, or -1.
 * position() gives -1 for a rank that is none of them. */
int caucus_failure_among(MPI_Comm comm, int (*position)(const void *some, int rank),
                         const void *some, int *found);

/* Receives and probes from MPI_ANY_SOURCE on comm go on in spite of the deaths known so far. */
int caucus_failure_acknowledge(MPI_Comm comm);

/* MPI_Improbe for a message from anybody, in spite of the deaths known so far. Sets *deaths where
 * the probes before did not know all of them. */
int caucus_failure_probe(MPI_Comm comm, int tag, bool *found, MPI_Message *message,
                         MPI_Status *status, bool *deaths);

#endif
