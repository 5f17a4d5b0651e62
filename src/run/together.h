/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_TOGETHER_H
#define CAUCUS_RUN_TOGETHER_H

#include <mpi.h>
#include <stdbool.h>

/* Waits until all ranks of comm are here, while all active executions of this process move on:
 * before a call that may block within MPI, because another rank may need what is active here to
 * come there at all. also, if not NULL, moves on what is not active yet and tells whether anything
 * is left of that. Collective over comm. */
int caucus_come_together(MPI_Comm comm, bool (*also)(void));

/* The highest of the values of all ranks, in both groups of an intercommunicator, in place.
 * Collective over both; blocks within MPI. */
int caucus_highest_of_groups(MPI_Comm inter, int *value);

#endif
