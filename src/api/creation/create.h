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
    uint64_t topic;      /* what members meet by: the tag, or tag and communicator in one */
    bool without_parent; /* this member has something unfinished that a parent would wait for */
};

/* caucus/create_group.h says how. over: the attachment by which the members talk, of comm or of one
 * that has all processes of it; may be NULL or without a room, which is an error. Sets *algorithm,
 * if it is not NULL, to the name of what made the communicator; "none" where there is none to be
 * made. Returns an error code of MPI after calling comm's error handler. */
int caucus_creation_create(const struct caucus_creation_request *request,
                           const struct caucus_attachment *over, const char **algorithm);

/* The algorithm that CAUCUS_CREATE_GROUP names, or a status: none is called so, or this MPI lacks
 * it. */
int caucus_creation_choose(const struct caucus_creation_algorithm **chosen);

#endif
