/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that are made while their members do something else: behind requests that are pending. */
#ifndef CAUCUS_API_GROUP_MAKING_H
#define CAUCUS_API_GROUP_MAKING_H

#include "api/group/object.h"
#include "run/group/merging.h"

#include <caucus/request.h>

/* Before anything else of a call that does not wait: its request is null from then on. */
int caucus_making_clear(caucus_request *request);

/* Each takes over what is made, on failure too; *handle is written when the request completes. The
 * parent is of the communicator. */
int caucus_making_of_group(struct caucus_context *parent, struct caucus_light_group *group,
                           caucus_group *handle, caucus_request *request);

/* Begins to merge. old: of the group that does, which is held so long; or NULL. instead, which may
 * be NULL: where a group has asked, whom to ask instead, MPI_PROC_NULL for nobody. */
int caucus_making_of_merging(struct caucus_context *parent, struct caucus_context *old,
                             const struct caucus_merging_wish *wish, caucus_group *handle,
                             int *instead, caucus_request *request);

/* How a call ends that waits for its request, with the code of what made that: until it is
 * complete, which it is freed by; raises what fails. */
int caucus_making_await(const char *function, int code, caucus_request *request);

#endif
