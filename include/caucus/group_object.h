/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief The handle of a light group.
 */
#ifndef CAUCUS_GROUP_OBJECT_H
#define CAUCUS_GROUP_OBJECT_H

/**
 * A light group: some ranks of a communicator, with collectives and messages of their own
 * (caucus/group.h). It is neither an MPI_Group nor an MPI_Comm.
 *
 * @ingroup group
 */
typedef struct caucus_group_object *caucus_group;

/**
 * No group. Functions that make a group return it on a rank that is not a member.
 *
 * @ingroup group
 */
#define CAUCUS_GROUP_NULL ((caucus_group)0)

#endif
