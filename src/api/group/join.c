/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks do alone: join a group, and go on without others. */
#include "api/common/raise.h"
#include "api/group/making.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>

#include <stdlib.h>

static int check_join(const struct caucus_context *parent, int first, int tag,
                      caucus_group *group) {
    int status = caucus_group_check_new(group, "group");
    if (status)
        return status;
    if (first < 0 || first >= parent->size || first == parent->rank)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "first is %d: it must be another rank of the parent, 0 to %d", first,
                           parent->size - 1);
    return caucus_group_check_tag(tag);
}

static int join(const char *function, MPI_Comm comm, int first, int tag, caucus_group *group,
                caucus_request *request) {
    struct caucus_context *parent;
    int status = caucus_making_clear(request);
    if (!status)
        status = caucus_group_find_parent(comm, &parent);
    if (!status)
        status = check_join(parent, first, tag, group);
    if (!status) {
        const struct caucus_merging_wish wish = {.parent = parent->attachment,
                                                 .meets = CAUCUS_GROUP_JOINS,
                                                 .tag = tag,
                                                 .ranks = &first,
                                                 .count = 1};
        status = caucus_making_of_merging(parent, NULL, &wish, group, NULL, request);
    }
    return caucus_raise(comm, NULL, function, status);
}

int caucus_group_ijoin(MPI_Comm comm, int first, int tag, caucus_group *group,
                       caucus_request *request) {
    return join(__func__, comm, first, tag, group, request);
}

int caucus_group_join(MPI_Comm comm, int first, int tag, caucus_group *group) {
    caucus_request request;
    int code = join(__func__, comm, first, tag, group, &request);
    return caucus_making_await(__func__, code, &request);
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

static int shrink(const struct caucus_context *context, const struct caucus_members *leaving,
                  caucus_group *handle) {
    struct caucus_members members;
    struct caucus_light_group *group;
    int count;
    int *rest = list_rest(&context->group->members, leaving, &count);
    int status = rest ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_members_from_list(&members, context->parent->size, count, rest);
    free(rest);
    if (!status)
        status =
            caucus_group_make(context->parent->attachment, &members,
                              caucus_group_identity(context->group), 0, CAUCUS_GROUP_LATER, &group);
    return status ? status : caucus_group_wrap(context->parent, group, handle);
}

int caucus_group_shrink(caucus_group group, const int leaving[], int n, caucus_group *rest) {
    struct caucus_members list = {0};
    int status = caucus_group_check(group);
    if (!status)
        status = caucus_group_check_new(rest, "rest");
    if (!status) {
        status = caucus_group_read_list(&list, "leaving", leaving, n, group->context->size);
        if (status)
            caucus_fail_in(status, "leaving");
    }
    if (!status && (n == 0 || caucus_members_position(&list, group->context->rank) < 0))
        status = shrink(group->context, &list, rest);
    caucus_members_free(&list);
    return caucus_group_conclude(group, __func__, status);
}
