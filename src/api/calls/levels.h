/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread levels of the processes of MPI_COMM_WORLD, which MPI lets differ. */
#ifndef CAUCUS_API_CALLS_LEVELS_H
#define CAUCUS_API_CALLS_LEVELS_H

#include <stdbool.h>

struct caucus_attachment;

/* Collective over MPI_COMM_WORLD, when MPI is up. */
void caucus_levels_agree(const struct caucus_attachment *world);

/* Whether any process may have several threads that call MPI at a time, and whether some may and
 * others may not. The same on all ranks. */
bool caucus_levels_have_threads(void);
bool caucus_levels_differ(void);

#endif
