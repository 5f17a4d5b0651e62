/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that ask others to be taken into them: brings messages to the protocol
 * (plan/protocol/asking.h), and lists and unions ride on it. The merges that come of it are those
 * of merging.h, with the ways ASKS and TAKES. For first members. */
#ifndef CAUCUS_RUN_GROUP_ASKING_H
#define CAUCUS_RUN_GROUP_ASKING_H

#include "run/group/group.h"

/* Those who wait to be taken into the group, at most `limit`, by their ranks in the parent. Moves
 * the hub on. */
int caucus_asking_poll(struct caucus_light_group *group, int tag, int limit, int *askers,
                       int *count);

/* One of them is not taken. */
int caucus_asking_refuse(struct caucus_light_group *group, int tag, int asker);

#endif
