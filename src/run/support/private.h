/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of our own, made of a user's, on which no message of his can meet one of ours. */
#ifndef CAUCUS_RUN_SUPPORT_PRIVATE_H
#define CAUCUS_RUN_SUPPORT_PRIVATE_H

#include <mpi.h>

/* One with the same ranks (for a single rank it may be shared with others: alone.h) or, of an
 * intercommunicator, the union of both groups: ranks 0 to first_group - 1 are one of them, which
 * one is MPI's business but the same everywhere; else first_group is 0. It returns errors.
 * Collective over comm, both groups of it; what is pending on comm is left alone. */
int caucus_private_make(MPI_Comm comm, MPI_Comm *made, int *first_group);

/* What was made goes, with what came for a run that failed elsewhere. Local in all MPIs, so ranks
 * may do this one by one. */
void caucus_private_free(MPI_Comm *comm);

#endif
