/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/alive.h"
#include "api/collective/queued.h"
#include "api/group/communicator.h"
#include "api/raise.h"
#include "base/status.h"
#include "run/failure.h"

#include <caucus/alive.h>

static int check(double timeout, caucus_group *group) {
    if (!group)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "group is a null pointer");
    *group = CAUCUS_GROUP_NULL;
    return caucus_group_check_timeout(timeout);
}

/* members are taken over; without any, or without this rank, there is nothing to do. */
static int create(struct caucus_team *parent, struct caucus_members *members, int64_t outside,
                  double timeout, caucus_group *group) {
    struct caucus_light_group *made;
    if (members->count == 0 || caucus_members_position(members, parent->rank) < 0) {
        caucus_members_free(members);
        return CAUCUS_OK;
    }
    int status = caucus_group_make_alive(parent->attachment, members, outside, timeout, false,
                                         caucus_queued_progress, &made);
    return status ? status : caucus_group_wrap(parent, made, group);
}

int caucus_group_create_alive(MPI_Comm comm, const int members[], int n, double timeout,
                              caucus_group *group) {
    struct caucus_team *parent;
    struct caucus_members list = {0};
    int status = caucus_group_find_parent(comm, &parent);
    if (!status)
        status = check(timeout, group);
    if (!status && n != 0)
        status = members ? caucus_members_from_list(&list, parent->size, n, members)
                         : caucus_fail(CAUCUS_BAD_ARGUMENT, "members is a null pointer");
    if (!status)
        status = create(parent, &list, -1, timeout, group);
    return status ? caucus_raise(comm, NULL, __func__, status) : MPI_SUCCESS;
}

int caucus_group_shrink_alive(caucus_group group, double timeout, caucus_group *newgroup) {
    struct caucus_members members = {0};
    int code = caucus_group_check(group, __func__);
    if (code)
        return code;
    const struct caucus_light_group *old = group->team->group;
    int status = check(timeout, newgroup);
    if (!status)
        status = caucus_group_copy_members(old, &members);
    if (!status)
        status =
            create(group->team->parent, &members, caucus_group_identity(old), timeout, newgroup);
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}

int caucus_failures_detected(int *detected) {
    if (!detected) {
        int status = caucus_fail(CAUCUS_BAD_ARGUMENT, "detected is a null pointer");
        return caucus_raise(MPI_COMM_SELF, NULL, __func__, status);
    }
    *detected = caucus_failure_detected();
    return MPI_SUCCESS;
}
