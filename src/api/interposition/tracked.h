/* SPDX-License-Identifier: BSD-3-Clause */
/* Which blocking collectives are carried out as nonblocking ones. MPI does not let a blocking
 * collective meet a nonblocking one, so all ranks of a communicator must decide alike, without a
 * message, whether or not a request of ours is active here or there. What they all know is which
 * persistent inits they have made together: an init may synchronise, so every legal program has it
 * before or after a collective among the same ranks on all of them. The same holds of the calls
 * that make intercommunicators, on which nonblocking collectives are ours too. */
#ifndef CAUCUS_API_INTERPOSITION_TRACKED_H
#define CAUCUS_API_INTERPOSITION_TRACKED_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Before any of these: only where one thread of a process at a time calls MPI. */
void caucus_tracked_begin(void);

/* Around an init on comm: false where there is no memory to have it among these, so that it must
 * not come to be on any rank; and whether it did on all of them. Local. */
bool caucus_tracked_prepare(MPI_Comm comm);
void caucus_tracked_settle(MPI_Comm comm, bool made);

/* When comm, an intercommunicator, was made. Local; after the first, one is had in
 * advance, for when there is no memory. */
void caucus_tracked_add(MPI_Comm comm);

/* The ranks of made are some of parent's. Local. */
void caucus_tracked_derive(MPI_Comm parent, MPI_Comm made);

/* Whether all ranks of comm were among those of one such call before. Local; the same on all ranks
 * of comm, unless several threads call MPI at a time. */
bool caucus_tracked_has(MPI_Comm comm);

/* The same of a group; and whether there has been such a call at all, which costs nothing. */
bool caucus_tracked_has_group(MPI_Group group);
bool caucus_tracked_any(void);

/* Another number after each such call: a group that was among none may be now. */
intptr_t caucus_tracked_generation(void);

/* Whether inner's processes are all in outer. */
bool caucus_is_within(MPI_Group inner, MPI_Group outer);

/* When MPI is finalized. */
void caucus_tracked_end(void);

#endif
