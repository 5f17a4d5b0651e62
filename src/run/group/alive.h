/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of those members of a list who live, over a parent that may have dead ranks. */
#ifndef CAUCUS_RUN_GROUP_ALIVE_H
#define CAUCUS_RUN_GROUP_ALIVE_H

#include "run/group/group.h"

/* members are taken over, on failure too; this rank is one of them. outside is the identity of the
 * group that the list is out of, or -1. timeout in seconds, above 0. Waits while everything active
 * moves on, and what also() moves on. Who objects has it fail on all, if there are others. */
int caucus_group_make_alive(struct caucus_attachment *parent, struct caucus_members *members,
                            int64_t outside, double timeout, bool objects, bool (*also)(void),
                            struct caucus_light_group **made);

#endif
