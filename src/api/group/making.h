/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that are made while their members do something else: errands behind requests. */
#ifndef CAUCUS_API_GROUP_MAKING_H
#define CAUCUS_API_GROUP_MAKING_H

#include "api/group/object.h"
#include "run/group/merging.h"

#include <caucus/request.h>

/* Before anything else of a call that does not wait: raises where request is a null pointer; the
 * request is null from then on. */
int caucus_making_check(MPI_Comm comm, const char *function, caucus_request *request);

/* The same of a group's team, whose communicator may have been freed. */
int caucus_making_check_of(const struct caucus_team *team, const char *function,
                           caucus_request *request);

/* Each takes over what is made, on failure too; *handle is written when the request completes. The
 * parent is of the communicator. */
int caucus_making_of_group(struct caucus_team *parent, struct caucus_light_group *group,
                           caucus_group *handle, caucus_request *request);

/* old: of the group that merges, which is held so long; or NULL. instead, which may be NULL: where
 * a group has asked, whom to ask instead, MPI_PROC_NULL for nobody. */
int caucus_making_of_merging(struct caucus_team *parent, struct caucus_team *old,
                             struct caucus_merging *merging, caucus_group *handle, int *instead,
                             caucus_request *request);

/* Until a request that was just made is complete, which it is freed by; raises what fails. */
int caucus_making_await(const char *function, caucus_request *request);

#endif
