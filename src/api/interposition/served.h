/* SPDX-License-Identifier: BSD-3-Clause */
/* Which communicators have calls of ours under the drop-in: those among processes of one
 * MPI_COMM_WORLD, which all run under Caucus. Processes that were spawned or connected may run
 * without it, and nothing that MPI offers could tell before a message that only Caucus understands:
 * what has some, be it of one group or two, is left to MPI unless CAUCUS_ENABLE names them
 * (dynamic). Nonblocking collectives on one group are ours where it is attached: a call can't
 * attach, as that waits for other ranks. */
#ifndef CAUCUS_API_INTERPOSITION_SERVED_H
#define CAUCUS_API_INTERPOSITION_SERVED_H

#include <mpi.h>
#include <stdbool.h>

/* When MPI_Init has come through the drop-in; and whether it has. */
void caucus_served_begin(void);
bool caucus_served_has_world(void);

/* What is known of parent holds of made, whose ranks are some of it: to find it out takes some MPIs
 * the product of the numbers of ranks (Open MPI 5.0.11). Local. */
void caucus_served_derive(MPI_Comm parent, MPI_Comm made);

/* Whether all processes of comm are known to be of this one's MPI_COMM_WORLD. Local. */
bool caucus_is_known_within_world(MPI_Comm comm);

/* Whether collectives on comm, of either kind, need nothing more that may wait. Local; the same on
 * all ranks. */
bool caucus_is_attached(MPI_Comm comm);

/* Whether all processes of comm, of either kind, run under Caucus, as far as is known. */
bool caucus_between_is_known(MPI_Comm comm);

/* Whether collectives on comm, an intercommunicator, are ours. Local; the same on all ranks of both
 * groups. */
bool caucus_between_serves(MPI_Comm comm);

/* Whether what is collective over comm, which has one group or is null, is ours. Local; the same on
 * all its ranks. */
bool caucus_within_serves(MPI_Comm comm);

/* The same between two groups, for a call that may wait: attaches comm where it is not. One that
 * can't be attached is left to MPI from then on. Collective over both groups. */
bool caucus_between_attach(MPI_Comm comm);

/* After a call made comm: it is attached where nonblocking collectives on it are ours, so that they
 * find all that they need, unless a rank of it has attached CAUCUS_MADE_MOST of the kind already,
 * or, with one group, has a duplicate pending that attaching would get in the way of
 * (duplicates.h). Blocking collectives among the ranks of two groups must not hold them up.
 * Collective over all its ranks. */
enum { CAUCUS_MADE_MOST = 32 };
void caucus_communicator_made(MPI_Comm comm, bool inter);

/* The same of an intercommunicator where other processes were met: the first call that may wait
 * attaches it. Local. */
void caucus_between_met(MPI_Comm comm);

#endif
