/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind a caucus_group. */
#ifndef CAUCUS_API_COLLECTIVE_GROUP_HANDLE_H
#define CAUCUS_API_COLLECTIVE_GROUP_HANDLE_H

#include "api/collective/context.h"

#include <caucus/group_object.h>

struct caucus_group_object {
    struct caucus_context *context; /* held; it owns the group itself */
};

/* Whether a handle is null. */
int caucus_group_check(caucus_group group);

/* How a function of the handle ends: MPI_SUCCESS, or the code of what it raises. */
int caucus_group_conclude(caucus_group group, const char *function, int status);

#endif
