/* SPDX-License-Identifier: BSD-3-Clause */
/* Members that come together for something that MPI does for all of them: a light group that is
 * made for that alone. When it is ready, all have come with the same list and arguments, and its
 * number is a tag for MPI that no other gathering has. */
#ifndef CAUCUS_RUN_GROUP_GATHERING_H
#define CAUCUS_RUN_GROUP_GATHERING_H

#include "run/group/group.h"

/* What for: in the place of a tag, for gatherings of the members of a group. */
enum caucus_gathering_aim { CAUCUS_GATHERING_COMM = -1, CAUCUS_GATHERING_BETWEEN = -2 };

/* Of all members of a group. arguments: what must be the same on all, as a digest; objects: this
 * rank erred, so that all fail. Nothing is sent before caucus_group_advance or _await; it ends by
 * caucus_group_end. Local. */
int caucus_gathering_of(const struct caucus_light_group *group, enum caucus_gathering_aim aim,
                        uint64_t arguments, bool objects, struct caucus_light_group **gathering);

/* Of this rank and one more of the parent. */
int caucus_gathering_of_two(struct caucus_attachment *parent, int other, int tag,
                            uint64_t arguments, bool objects,
                            struct caucus_light_group **gathering);

/* On the room's communicator (run/creation/room.h), of one that is ready. */
int caucus_gathering_tag(const struct caucus_light_group *gathering);

#endif
