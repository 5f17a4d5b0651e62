/* SPDX-License-Identifier: BSD-3-Clause */
/* How functions begin that open something on a communicator, by all of its ranks. */
#ifndef CAUCUS_API_OPENING_H
#define CAUCUS_API_OPENING_H

#include "api/collective/team.h"

/* Checks comm, an intracommunicator, attaches it and finds its team. On failure the error is raised
 * on all ranks, and its code returned. */
int caucus_opening_team(MPI_Comm comm, const char *function, struct caucus_team **team);

#endif
