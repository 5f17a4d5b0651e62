/* SPDX-License-Identifier: BSD-3-Clause */
/* Which intercommunicators Caucus serves under the drop-in: those among processes of one
 * MPI_COMM_WORLD, which all run under it. Processes that were spawned or connected may run without
 * it, and nothing that MPI offers could tell before a message that only Caucus understands: they
 * are left to MPI unless CAUCUS_ENABLE names them (dynamic). */
#ifndef CAUCUS_API_MIXED_BETWEEN_H
#define CAUCUS_API_MIXED_BETWEEN_H

#include <mpi.h>
#include <stdbool.h>

/* Whether all processes of comm, an intercommunicator, run under Caucus, as far as is known. */
bool caucus_between_is_known(MPI_Comm comm);

/* Whether collectives on comm, an intercommunicator, are ours. Local; the same on all ranks of both
 * groups. */
bool caucus_between_serves(MPI_Comm comm);

/* The same for a call that may wait: attaches comm where it is not. One that can't be attached is
 * left to MPI from then on. Collective over both groups. */
bool caucus_between_attach(MPI_Comm comm);

/* After a call made comm: an intercommunicator that is ours is attached, so that its nonblocking
 * collectives find all that the others have, unless a rank of it has attached CAUCUS_BETWEEN_MOST
 * already; and blocking collectives among its ranks must not hold them up. Collective over both
 * groups, if there are two; comm may be null. */
enum { CAUCUS_BETWEEN_MOST = 32 };
void caucus_between_made(MPI_Comm comm);

/* The same where other processes were met: the first call that may wait attaches comm. Local. */
void caucus_between_met(MPI_Comm comm);

#endif
