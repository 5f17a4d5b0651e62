/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_CREATION_CREATE_H
#define CAUCUS_API_CREATION_CREATE_H

#include "run/creation/creation.h"

#include <stdint.h>

/* What MPI_Comm_create_group is called with. */
struct caucus_creation_request {
    const char *function; /* for errors */
    MPI_Comm comm;
    MPI_Group group;
    int tag;
    MPI_Comm *made;
    uint64_t topic; /* what members meet by, with the tag: of comm, if it is told from others */
    bool without_parent; /* this member has something unfinished that a parent would wait for */
};

/* caucus/create_group.h says how. over: the attachment by which the members talk, of comm or of one
 * that has all processes of it; may be NULL or without a room, which is an error. Sets *algorithm,
 * if it is not NULL, to the name of what made the communicator; "none" where there is none to be
 * made. Returns an error code of MPI after calling comm's error handler. */
int caucus_creation_create(const struct caucus_creation_request *request,
                           struct caucus_attachment *over, const char **algorithm);

/* What was made gets the error handler of its parent. */
int caucus_creation_hand_over(MPI_Comm parent, MPI_Comm made);

/* The algorithm that CAUCUS_CREATE_GROUP names, or a status: none is called so, or this MPI lacks
 * it. */
int caucus_creation_choose(const struct caucus_creation_algorithm **chosen);

int caucus_creation_check_settings(void); /* the same, asked for its status alone */

/* Everything that a process can find by itself about the arguments; a status. Without a message. */
int caucus_creation_check(const struct caucus_creation_request *request);

/* (*ranks)[i] is the rank in `into` of the group's process i; to be freed, on failure too.
 * *stranger: the first process that is not in it, or -1. */
int caucus_creation_ranks(MPI_Group group, MPI_Group into, int **ranks, int *stranger);

/* Where there is no memory for them: the others of the group, who meet by topic and tag, hear one
 * by one that this rank does not take part. */
void caucus_creation_decline(MPI_Group group, struct caucus_attachment *over, uint64_t topic,
                             int tag);

/* That process alone, without memory. */
int caucus_creation_stranger(MPI_Group group, MPI_Group into, int *stranger);

#endif
