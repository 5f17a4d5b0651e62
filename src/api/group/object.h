/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions on groups share. */
#ifndef CAUCUS_API_GROUP_OBJECT_H
#define CAUCUS_API_GROUP_OBJECT_H

#include "api/collective/group_handle.h"
#include "run/creation/creation.h"
#include "run/group/group.h"

/* Whether there is a place for a new group, which is null from then on. */
int caucus_group_check_new(caucus_group *group, const char *name);

/* Ranks of one that has size, as a user lists them; members has nobody where n is 0. */
int caucus_group_read_list(struct caucus_members *members, const char *name, const int list[],
                           int n, int size);

int caucus_group_check_tag(int tag);
int caucus_group_check_timeout(double timeout);

/* The context of an attached communicator, whose members may make groups alone. */
int caucus_group_find_parent(MPI_Comm comm, struct caucus_context **parent);

/* A handle of a group, which is taken over, on failure too. */
int caucus_group_wrap(struct caucus_context *parent, struct caucus_light_group *group,
                      caucus_group *handle);

/* Whether the communicator that the group was made of has a room for communicators: on all of its
 * ranks alike. */
int caucus_group_check_room(const struct caucus_light_group *group);

/* By all members, who have met, with the parent's ranks and MPI's tag. */
int caucus_group_make_comm(const struct caucus_light_group *group, const int32_t *ranks, int tag,
                           const struct caucus_creation_algorithm *algorithm, MPI_Comm *made);

/* Gives it the error handler of the context's parent. */
int caucus_group_hand_over(const struct caucus_context *context, MPI_Comm made);

#endif
