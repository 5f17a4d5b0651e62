/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/queued.h"
#include "api/group/making.h"
#include "api/raise.h"
#include "base/status.h"

#include <caucus/group.h>

/* A call of any of the functions that make a group. */
struct wish {
    const char *function;
    caucus_request *request;    /* of those that do not wait, else NULL */
    struct caucus_team *parent; /* whose ranks the members are */
    const struct caucus_light_group *within;
    enum caucus_group_way way;
    int tag;
    caucus_group *group;
};

static int check(const struct wish *wish) {
    if (!wish->group)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "group is a null pointer");
    return caucus_group_check_tag(wish->tag);
}

/* Takes the members over. */
static int create(const struct wish *wish, struct caucus_members *members) {
    struct caucus_light_group *group;
    int64_t outside = wish->within ? caucus_group_identity(wish->within) : -1;
    if (members->count == 0 || caucus_members_position(members, wish->parent->rank) < 0) {
        caucus_members_free(members);
        return CAUCUS_OK;
    }
    int status =
        caucus_group_make(wish->parent->attachment, members, outside, wish->tag, wish->way, &group);
    if (status)
        return status;
    if (wish->request)
        return caucus_making_of_group(wish->parent, group, wish->group, wish->request);
    if (wish->way != CAUCUS_GROUP_LATER)
        status = caucus_group_await(group, caucus_queued_progress);
    if (!status)
        return caucus_group_wrap(wish->parent, group, wish->group);
    caucus_group_end(group);
    return status;
}

static int finish(const struct wish *wish, MPI_Comm comm, int status) {
    return status ? caucus_raise(comm, NULL, wish->function, status) : MPI_SUCCESS;
}

/* members has nobody where n is 0. */
static int read_list(const struct wish *wish, int parent_size, const int list[], int n,
                     struct caucus_members *members) {
    *members = (struct caucus_members){0};
    int status = check(wish);
    if (status)
        return status;
    *wish->group = CAUCUS_GROUP_NULL;
    if (n == 0)
        return CAUCUS_OK;
    return list ? caucus_members_from_list(members, parent_size, n, list)
                : caucus_fail(CAUCUS_BAD_ARGUMENT, "members is a null pointer");
}

static int from_list(MPI_Comm comm, const int list[], int n, struct wish *wish) {
    struct caucus_members members;
    int status = caucus_group_find_parent(comm, &wish->parent);
    if (!status)
        status = read_list(wish, wish->parent->size, list, n, &members);
    if (!status)
        status = create(wish, &members);
    return finish(wish, comm, status);
}

int caucus_group_create(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group) {
    struct wish wish = {
        .function = __func__, .way = CAUCUS_GROUP_CHECKED, .tag = tag, .group = group};
    return from_list(comm, members, n, &wish);
}

int caucus_group_icreate(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group,
                         caucus_request *request) {
    struct wish wish = {.function = __func__,
                        .request = request,
                        .way = CAUCUS_GROUP_CHECKED,
                        .tag = tag,
                        .group = group};
    int status = caucus_making_check(comm, __func__, request);
    return status ? status : from_list(comm, members, n, &wish);
}

int caucus_group_create_unchecked(MPI_Comm comm, const int members[], int n, int tag,
                                  caucus_group *group) {
    struct wish wish = {
        .function = __func__, .way = CAUCUS_GROUP_UNCHECKED, .tag = tag, .group = group};
    return from_list(comm, members, n, &wish);
}

int caucus_group_create_lazy(MPI_Comm comm, const int members[], int n, caucus_group *group) {
    struct wish wish = {.function = __func__, .way = CAUCUS_GROUP_LATER, .group = group};
    return from_list(comm, members, n, &wish);
}

static int from_range(MPI_Comm comm, int first, int last, int stride, struct wish *wish) {
    struct caucus_members range;
    int status = caucus_group_find_parent(comm, &wish->parent);
    if (!status)
        status = check(wish);
    if (!status)
        *wish->group = CAUCUS_GROUP_NULL;
    if (!status)
        status = caucus_members_from_range(&range, wish->parent->size, first, last, stride);
    if (!status)
        status = create(wish, &range);
    return finish(wish, comm, status);
}

int caucus_group_create_range(MPI_Comm comm, int first, int last, int stride, caucus_group *group) {
    struct wish wish = {.function = __func__, .way = CAUCUS_GROUP_LATER, .group = group};
    return from_range(comm, first, last, stride, &wish);
}

int caucus_group_from_comm(MPI_Comm comm, caucus_group *group) {
    struct wish wish = {.function = __func__, .way = CAUCUS_GROUP_LATER, .group = group};
    int size = 1;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &size);
    return from_range(comm, 0, size - 1, 1, &wish);
}

int caucus_group_create_within(caucus_group parent, const int members[], int n, int tag,
                               caucus_group *group) {
    struct wish wish = {
        .function = __func__, .way = CAUCUS_GROUP_CHECKED, .tag = tag, .group = group};
    struct caucus_members inner, list = {0};
    int code = caucus_group_check(parent, __func__);
    if (code)
        return code;
    wish.parent = parent->team->parent;
    wish.within = parent->team->group;
    int status = read_list(&wish, parent->team->size, members, n, &inner);
    if (!status && n > 0)
        status = caucus_members_within(&list, &wish.within->members, &inner);
    caucus_members_free(&inner);
    if (!status)
        status = create(&wish, &list);
    return status ? caucus_team_raise(parent->team, false, __func__, status) : MPI_SUCCESS;
}
