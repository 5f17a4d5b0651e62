/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates that the program has MPI_Comm_idup make and has not waited for yet. In Open MPI 5.0.11
 * they are in the way of what makes communicators:
 *
 *   on another communicator   who is lower in its order of contexts goes first, however long it
 *                             waits: MPI_COMM_WORLD is before all
 *   on the same one           it takes collectives that come between its steps for its own, and
 *                             which these are depends on how often it was looked at
 *
 * A program may never meet that, as MPI looks at them only where something waits; but we do wait
 * before others have called. */
#ifndef CAUCUS_API_INTERPOSITION_DUPLICATES_H
#define CAUCUS_API_INTERPOSITION_DUPLICATES_H

#include <mpi.h>
#include <stdbool.h>

/* After MPI_Comm_idup. Any thread, as all of these. */
void caucus_duplicates_add(MPI_Comm comm, MPI_Request request);

bool caucus_duplicates_any(void);

/* Until those of comm are complete, while ours move on: before another call that is collective over
 * comm and may wait, which comes later on all ranks. */
void caucus_duplicates_await(MPI_Comm comm);

/* Until those among these requests are complete, before a call that completes all of them. */
void caucus_duplicates_complete(int count, const MPI_Request requests[]);

/* Around a call that may complete some of these requests, which nothing else looks at meanwhile: a
 * request is gone when its wait is over. It ends with the first of them. The first gives NULL where
 * it does not, and what the second one frees. */
MPI_Request *caucus_duplicates_among(int count, const MPI_Request requests[]);
void caucus_duplicates_remove(int count, MPI_Request before[], const MPI_Request after[]);

#endif
