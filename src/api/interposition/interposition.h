/* SPDX-License-Identifier: BSD-3-Clause */
/* Which way a call of MPI goes under the drop-in. */
#ifndef CAUCUS_API_INTERPOSITION_INTERPOSITION_H
#define CAUCUS_API_INTERPOSITION_INTERPOSITION_H

#include "api/calls/calls.h"

enum caucus_way {
    CAUCUS_WAY_MPI,        /* as it is */
    CAUCUS_WAY_OURS,       /* Caucus makes it */
    CAUCUS_WAY_NONBLOCKING /* as MPI's nonblocking form, moving ours on until it is complete */
};

/* When MPI is up. Collective over MPI_COMM_WORLD, unless nothing is taken over. */
void caucus_interposition_open(void);

/* Around every call of a collective: calls that MPI itself makes within are left alone, and another
 * thread moves our requests on where the call may block. Counts those that MPI gets. *gather: all
 * ranks of comm come together by a nonblocking barrier first, so that the call does not block for
 * long. */
enum caucus_way caucus_interposition_enter(enum caucus_call call, MPI_Comm comm, bool *gather);

/* The same for another call that is collective over comm and blocks. */
void caucus_interposition_enter_other(MPI_Comm comm, bool *gather);

/* The same for one that is collective over processes of which no communicator is at hand: whether
 * they may have to come together first (assemble.h), and whether those of a group have to. */
bool caucus_interposition_enter_unnamed(void);
bool caucus_interposition_may_assemble(void);
bool caucus_interposition_assembles(MPI_Group group);

/* The same for a call of some ranks of a communicator only, which cannot come together with all:
 * false within a call of MPI's. */
bool caucus_interposition_enter_some(void);

/* After such a call, before leaving: made, which may be null, was made of parent by all of its
 * ranks, each of which calls. Local. */
void caucus_interposition_derived(MPI_Comm parent, MPI_Comm made);

/* Afterwards, and of any that was made: its other group may be of another MPI_COMM_WORLD.
 * Collective over all its ranks. */
void caucus_interposition_made(MPI_Comm comm, bool of_other_worlds);

/* Does nothing where no call was entered. */
void caucus_interposition_leave(void);

/* Whether a message must not block within MPI, but be waited for while ours, which it moves on, go
 * on too. Local. */
bool caucus_interposition_polls(void);

/* Moves on what is ours, if the program has any request of ours. */
void caucus_interposition_advance(void);

/* The error of a call that MPI does not have, and that is not ours. */
int caucus_interposition_missing(const char *function, MPI_Comm comm);

/* Before MPI_Finalize. Requests of ours are served until the program's attributes of MPI_COMM_SELF
 * have been deleted, for their callbacks may use some. */
void caucus_interposition_end(void);

#endif
