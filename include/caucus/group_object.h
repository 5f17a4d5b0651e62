/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_GROUP_OBJECT_H
#define CAUCUS_GROUP_OBJECT_H

/* A group of ranks of a communicator: see caucus/group.h. */
typedef struct caucus_group_object *caucus_group;

#define CAUCUS_GROUP_NULL ((caucus_group)0)

#endif
