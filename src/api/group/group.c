/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/object.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>

#include <math.h>
#include <stdlib.h>

int caucus_group_check(caucus_group group, const char *function) {
    if (group)
        return MPI_SUCCESS;
    int status = caucus_fail(CAUCUS_BAD_ARGUMENT, "the group is CAUCUS_GROUP_NULL");
    return caucus_raise(MPI_COMM_SELF, NULL, function, status);
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

int caucus_group_find_parent(MPI_Comm comm, struct caucus_team **parent) {
    int status = caucus_check_comm(comm);
    if (status)
        return status;
    *parent = caucus_team_kept(comm);
    return *parent && (*parent)->standing
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_COMM,
                             "the communicator is not attached: all its ranks must have called "
                             "caucus_comm_attach, or a collective of Caucus's, for members alone "
                             "can't do that");
}

int caucus_group_wrap(struct caucus_team *parent, struct caucus_light_group *group,
                      caucus_group *handle) {
    struct caucus_group_object *object = caucus_array(1, sizeof *object);
    if (!object) {
        caucus_group_end(group);
        return CAUCUS_NO_MEMORY;
    }
    int status = caucus_team_of_group(parent, group, &object->team);
    if (status)
        free(object);
    else
        *handle = object;
    return status;
}

static int check(caucus_group group, const void *result, const char *name, const char *function) {
    int code = caucus_group_check(group, function);
    if (code || result)
        return code;
    int status = caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", name);
    return caucus_team_raise(group->team, false, function, status);
}

int caucus_group_rank(caucus_group group, int *rank) {
    int code = check(group, rank, "rank", __func__);
    if (!code)
        *rank = group->team->rank;
    return code;
}

int caucus_group_size(caucus_group group, int *size) {
    int code = check(group, size, "size", __func__);
    if (!code)
        *size = group->team->size;
    return code;
}

int caucus_group_members(caucus_group group, int members[]) {
    int code = check(group, members, "members", __func__);
    if (!code)
        caucus_members_list(&group->team->group->members, members);
    return code;
}

int caucus_group_free(caucus_group *group) {
    int code = caucus_group_check(group ? *group : CAUCUS_GROUP_NULL, __func__);
    if (code)
        return code;
    caucus_team_let_go((*group)->team);
    free(*group);
    *group = CAUCUS_GROUP_NULL;
    return MPI_SUCCESS;
}
