/* SPDX-License-Identifier: BSD-3-Clause */
/* What communicators out of light groups have in common. */
#ifndef CAUCUS_API_GROUP_COMMUNICATOR_H
#define CAUCUS_API_GROUP_COMMUNICATOR_H

#include "api/group/object.h"
#include "run/creation/creation.h"

/* Whether the communicator that the group was made of has a room for communicators: on all of its
 * ranks alike. */
int caucus_group_check_room(const struct caucus_light_group *group);

/* The members' ranks in the parent; NULL without memory. */
int32_t *caucus_group_list(const struct caucus_light_group *group);

/* For whoever owns them. */
int caucus_group_copy_members(const struct caucus_light_group *group,
                              struct caucus_members *members);

/* By all members, who have gathered, with the parent's ranks and MPI's tag. */
int caucus_group_make_comm(const struct caucus_light_group *group, const int32_t *ranks, int tag,
                           const struct caucus_creation_algorithm *algorithm, MPI_Comm *made);

/* Before a call that waits inside MPI: until all that caucus_group_ito_comm has begun before in
 * this process is made, while everything active moves on; or two ranks might each wait inside MPI
 * for the other one to come to another communicator. */
void caucus_communicators_await(void);

/* Gives it the error handler of the team's parent. */
int caucus_group_hand_over(const struct caucus_team *team, MPI_Comm made);

#endif
