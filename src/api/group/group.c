/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/group/object.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>

#include <math.h>
#include <stdlib.h>

int caucus_group_check_new(caucus_group *group, const char *name) {
    if (group)
        *group = CAUCUS_GROUP_NULL;
    return caucus_check_pointer(group, name);
}

int caucus_group_read_list(struct caucus_members *members, const char *name, const int list[],
                           int n, int size) {
    *members = (struct caucus_members){0};
    int status = n == 0 ? CAUCUS_OK : caucus_check_pointer(list, name);
    return status || n == 0 ? status : caucus_members_from_list(members, size, n, list);
}

int caucus_group_check_tag(int tag) {
    return tag >= 0 ? CAUCUS_OK
                    : caucus_fail(CAUCUS_BAD_ARGUMENT, "tag is %d: it must be from 0 to 2147483647",
                                  tag);
}

int caucus_group_check_timeout(double timeout) {
    return timeout > 0 && isfinite(timeout)
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "timeout is %g: it must be a positive number of seconds", timeout);
}

int caucus_group_find_parent(MPI_Comm comm, struct caucus_context **parent) {
    int status = caucus_check_comm(comm);
    if (status)
        return status;
    *parent = caucus_context_kept(comm);
    return *parent && (*parent)->cache
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_COMM,
                             "the communicator is not attached: all its ranks must have called "
                             "caucus_comm_attach, or a collective of Caucus's, for members alone "
                             "can't do that");
}

int caucus_group_wrap(struct caucus_context *parent, struct caucus_light_group *group,
                      caucus_group *handle) {
    struct caucus_group_object *object = caucus_array(1, sizeof *object);
    int status =
        object ? caucus_context_of_group(parent, group, &object->context) : CAUCUS_NO_MEMORY;
    if (status) {
        free(object);
        caucus_group_uncount(group);
        caucus_group_end(group);
    } else {
        *handle = object;
    }
    return status;
}

static int check(caucus_group group, const void *result, const char *name) {
    int status = caucus_group_check(group);
    return status ? status : caucus_check_pointer(result, name);
}

int caucus_group_rank(caucus_group group, int *rank) {
    int status = check(group, rank, "rank");
    if (!status)
        *rank = group->context->rank;
    return caucus_group_conclude(group, __func__, status);
}

int caucus_group_size(caucus_group group, int *size) {
    int status = check(group, size, "size");
    if (!status)
        *size = group->context->size;
    return caucus_group_conclude(group, __func__, status);
}

int caucus_group_members(caucus_group group, int members[]) {
    int status = check(group, members, "members");
    if (!status)
        caucus_members_list(&group->context->group->members, members);
    return caucus_group_conclude(group, __func__, status);
}

int caucus_group_free(caucus_group *group) {
    int status = caucus_group_check(group ? *group : CAUCUS_GROUP_NULL);
    if (status)
        return caucus_group_conclude(CAUCUS_GROUP_NULL, __func__, status);
    caucus_context_let_go((*group)->context);
    free(*group);
    *group = CAUCUS_GROUP_NULL;
    return MPI_SUCCESS;
}
