/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks do alone: join a group, and go on without others. */
#include "api/group/making.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>

#include <stdlib.h>

static int check_join(const struct caucus_team *parent, int first, int tag, caucus_group *group) {
    if (!group)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "group is a null pointer");
    *group = CAUCUS_GROUP_NULL;
    if (first < 0 || first >= parent->size || first == parent->rank)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "first is %d: it must be another rank of the parent, 0 to %d", first,
                           parent->size - 1);
    return caucus_group_check_tag(tag);
}

static int join(const char *function, MPI_Comm comm, int first, int tag, caucus_group *group,
                caucus_request *request) {
    struct caucus_team *parent;
    struct caucus_merging *merging;
    int code = caucus_making_check(comm, function, request);
    if (code)
        return code;
    int status = caucus_group_find_parent(comm, &parent);
    if (!status)
        status = check_join(parent, first, tag, group);
    if (!status) {
        struct caucus_merging_wish wish = {.parent = parent->attachment,
                                           .meets = CAUCUS_GROUP_JOINS,
                                           .tag = tag,
                                           .ranks = &first,
                                           .count = 1};
        status = caucus_merging_begin(&wish, &merging);
    }
    if (!status)
        status = caucus_making_of_merging(parent, NULL, merging, group, NULL, request);
    return status ? caucus_raise(comm, NULL, function, status) : MPI_SUCCESS;
}

int caucus_group_ijoin(MPI_Comm comm, int first, int tag, caucus_group *group,
                       caucus_request *request) {
    return join(__func__, comm, first, tag, group, request);
}

int caucus_group_join(MPI_Comm comm, int first, int tag, caucus_group *group) {
    caucus_request request;
    int code = join(__func__, comm, first, tag, group, &request);
    return code ? code : caucus_making_await(__func__, &request);
}

/* Ranks of the parent that stay; NULL without memory. */
static int *list_rest(const struct caucus_members *all, const struct caucus_members *leaving,
                      int *count) {
    int *rest = caucus_array(all->count, sizeof *rest);
    *count = 0;
    for (int32_t i = 0; rest && i < all->count; i++) {
        int rank = caucus_members_rank(all, i);
        if (leaving->count == 0 || caucus_members_position(leaving, i) < 0)
            rest[(*count)++] = rank;
    }
    return rest;
}

static int shrink(const struct caucus_team *team, const struct caucus_members *leaving,
                  caucus_group *handle) {
    struct caucus_members members;
    struct caucus_light_group *group;
    int count;
    int *rest = list_rest(&team->group->members, leaving, &count);
    int status = rest ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_members_from_list(&members, team->parent->size, count, rest);
    free(rest);
    if (!status)
        status =
            caucus_group_make(team->parent->attachment, &members,
                              caucus_group_identity(team->group), 0, CAUCUS_GROUP_LATER, &group);
    return status ? status : caucus_group_wrap(team->parent, group, handle);
}

static int read_leaving(const struct caucus_team *team, const int list[], int n,
                        struct caucus_members *leaving) {
    *leaving = (struct caucus_members){0};
    if (n == 0)
        return CAUCUS_OK;
    int status = list ? caucus_members_from_list(leaving, team->size, n, list)
                      : caucus_fail(CAUCUS_BAD_ARGUMENT, "leaving is a null pointer");
    return status ? caucus_fail_in(status, "leaving") : CAUCUS_OK;
}

int caucus_group_shrink(caucus_group group, const int leaving[], int n, caucus_group *rest) {
    struct caucus_members list;
    int code = caucus_group_check(group, __func__);
    if (code)
        return code;
    const struct caucus_team *team = group->team;
    int status = rest ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "rest is a null pointer");
    if (!status) {
        *rest = CAUCUS_GROUP_NULL;
        status = read_leaving(team, leaving, n, &list);
    }
    if (!status) {
        bool leaves = n > 0 && caucus_members_position(&list, team->rank) >= 0;
        status = leaves ? CAUCUS_OK : shrink(team, &list, rest);
        caucus_members_free(&list);
    }
    return status ? caucus_team_raise(team, false, __func__, status) : MPI_SUCCESS;
}
