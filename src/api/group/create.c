/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/group/making.h"
#include "base/status.h"

#include <caucus/group.h>

/* A call of any of the functions that make a group. */
struct wish {
    const char *function;
    caucus_request *request;       /* of those that do not wait, else NULL */
    struct caucus_context *parent; /* whose ranks the members are */
    const struct caucus_light_group *within;
    enum caucus_group_way way;
    int tag;
    caucus_group *group;
};

static int check(const struct wish *wish) {
    int status = caucus_group_check_new(wish->group, "group");
    return status ? status : caucus_group_check_tag(wish->tag);
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
        status = caucus_group_await(group);
    if (!status)
        return caucus_group_wrap(wish->parent, group, wish->group);
    caucus_group_end(group);
    return status;
}

static bool has(const int list[], int n, int rank) {
    for (int i = 0; i < n; i++)
        if (list[i] == rank)
            return true;
    return false;
}

/* Where there is no memory for it, other members would wait for this one. */
static int read_list(const struct wish *wish, const int list[], int n,
                     struct caucus_members *members) {
    int status = caucus_group_read_list(members, "members", list, n, wish->parent->size);
    if (status == CAUCUS_NO_MEMORY && wish->way != CAUCUS_GROUP_LATER &&
        has(list, n, wish->parent->rank))
        caucus_group_decline_all(wish->parent->attachment, -1, wish->tag, n, list);
    return status;
}

static int from_list(MPI_Comm comm, const int list[], int n, struct wish *wish) {
    struct caucus_members members;
    int status = caucus_group_find_parent(comm, &wish->parent);
    if (!status)
        status = check(wish);
    if (!status)
        status = read_list(wish, list, n, &members);
    if (!status)
        status = create(wish, &members);
    return caucus_raise(comm, NULL, wish->function, status);
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
    int status = caucus_making_clear(request);
    return status ? caucus_raise(comm, NULL, __func__, status) : from_list(comm, members, n, &wish);
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
        status = caucus_members_from_range(&range, wish->parent->size, first, last, stride);
    if (!status)
        status = create(wish, &range);
    return caucus_raise(comm, NULL, wish->function, status);
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

/* The same of ranks of a group. */
static void refuse_within(const struct wish *wish, const int ranks[], int n) {
    const struct caucus_members *outer = &wish->within->members;
    for (int i = 0; i < n; i++)
        if (ranks[i] >= 0 && ranks[i] < outer->count && ranks[i] != wish->within->rank)
            caucus_group_decline(wish->parent->attachment, caucus_group_identity(wish->within),
                                 wish->tag, caucus_members_rank(outer, ranks[i]));
}

static int read_within(const struct wish *wish, const int ranks[], int n,
                       struct caucus_members *list) {
    const struct caucus_members *outer = &wish->within->members;
    struct caucus_members inner = {0};
    int status = caucus_group_read_list(&inner, "members", ranks, n, outer->count);
    if (!status && n > 0)
        status = caucus_members_within(list, outer, &inner);
    caucus_members_free(&inner);
    if (status == CAUCUS_NO_MEMORY && has(ranks, n, wish->within->rank))
        refuse_within(wish, ranks, n);
    return status;
}

int caucus_group_create_within(caucus_group parent, const int members[], int n, int tag,
                               caucus_group *group) {
    struct wish wish = {
        .function = __func__, .way = CAUCUS_GROUP_CHECKED, .tag = tag, .group = group};
    struct caucus_members list = {0};
    int status = caucus_group_check(parent);
    if (status)
        return caucus_group_conclude(parent, __func__, status);
    wish.parent = parent->context->parent;
    wish.within = parent->context->group;
    status = check(&wish);
    if (!status)
        status = read_within(&wish, members, n, &list);
    if (!status)
        status = create(&wish, &list);
    return caucus_group_conclude(parent, __func__, status);
}
