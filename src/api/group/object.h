/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind a caucus_group. */
#ifndef CAUCUS_API_GROUP_OBJECT_H
#define CAUCUS_API_GROUP_OBJECT_H

#include "api/collective/team.h"
#include "run/group/group.h"

#include <caucus/group_object.h>

struct caucus_group_object {
    struct caucus_team *team; /* held; it owns the group itself */
};

/* Raises that a handle is null where it is. */
int caucus_group_check(caucus_group group, const char *function);

int caucus_group_check_tag(int tag);
int caucus_group_check_timeout(double timeout);

/* The team of an attached communicator, whose members may make groups alone. */
int caucus_group_find_parent(MPI_Comm comm, struct caucus_team **parent);

/* A handle of a group, which is taken over, on failure too. */
int caucus_group_wrap(struct caucus_team *parent, struct caucus_light_group *group,
                      caucus_group *handle);

#endif
