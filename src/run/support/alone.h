/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator of this rank alone, which is made once for all that need one. MPICH 5.0.2 must not
 * be asked for another one at any time: while MPI_Comm_idup is pending, a call that makes a
 * communicator of a single rank may spin for ever, for it moves no messages (docs/mpi-faults.md,
 * single_beside_idup). */
#ifndef CAUCUS_RUN_SUPPORT_ALONE_H
#define CAUCUS_RUN_SUPPORT_ALONE_H

#include <mpi.h>
#include <stdbool.h>

/* The one for all, or null: in a program of sessions, which has no MPI_COMM_SELF, and where several
 * threads may call MPI, whose collectives could meet on it. Nothing that is sent on it may be on
 * its way when the sender returns. Thread-safe. */
MPI_Comm caucus_alone(void);

/* Whether it is that one, which is not to be freed. */
bool caucus_is_alone(MPI_Comm comm);

#endif
