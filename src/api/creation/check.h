/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_CREATION_CHECK_H
#define CAUCUS_API_CREATION_CHECK_H

#include "api/creation/create.h"

/* Everything that a process can find by itself about the arguments; a status. Without a message. */
int caucus_creation_check(const struct caucus_creation_request *request);

/* ranks[i] is the rank in `into` of the group's process i, of n; MPI_UNDEFINED for none. */
int caucus_creation_translate(MPI_Group group, int n, MPI_Group into, int ranks[]);

#endif
