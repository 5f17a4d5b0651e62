/* SPDX-License-Identifier: BSD-3-Clause */
/* All processes that were started together: MPI_COMM_WORLD, or mpi://WORLD of a program that has
 * sessions alone. */
#ifndef CAUCUS_RUN_SUPPORT_WORLD_H
#define CAUCUS_RUN_SUPPORT_WORLD_H

#include <mpi.h>
#include <stdbool.h>

/* MPI_COMM_WORLD or mpi://WORLD, for people. */
const char *caucus_world_name(void);

/* This process's; -1 where MPI does not tell. Local. */
int caucus_world_rank(void);

/* The same as its launcher's variables tell it, while MPI is not up; 0 where they don't. */
int caucus_world_launched_rank(void);

/* ranks[i] becomes the world's number of rank i of comm, -1 of who is not in it. Local; false where
 * MPI does not tell. */
bool caucus_world_ranks(MPI_Comm comm, int count, int *ranks);

#endif
