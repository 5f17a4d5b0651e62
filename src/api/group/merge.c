/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that become one, take in others, and ask to be taken in. */
#include "api/group/making.h"
#include "base/status.h"

#include <caucus/group.h>

/* A call of a member of a group that merges or grows. */
struct call {
    const char *function;
    caucus_group group;
    int64_t meets;
    const char *name; /* of the list */
    const int *list;
    int count, tag;
    caucus_group *made;
    int *instead;
};

/* Who joins, asks or is asked must be no member. */
static int check_strangers(const struct call *call) {
    const struct caucus_members *members = &call->group->context->group->members;
    for (int i = 0; i < call->count; i++)
        if (caucus_members_position(members, call->list[i]) >= 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s[%d] is %d, which is a member already",
                               call->name, i, call->list[i]);
    return CAUCUS_OK;
}

/* Ranks of the parent, each once; firsts with this group's own among them. */
static int check_list(const struct call *call) {
    const struct caucus_context *context = call->group->context;
    struct caucus_members list;
    bool merges = call->meets == CAUCUS_GROUP_MERGES;
    if (call->count < 0 || (merges && call->count == 0))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s are %d: there must be at least %d", call->name,
                           call->count, merges ? 1 : 0);
    if (call->count == 0)
        return CAUCUS_OK;
    if (!call->list)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", call->name);
    int status = caucus_members_from_list(&list, context->parent->size, call->count, call->list);
    if (status)
        return caucus_fail_in(status, "%s", call->name);
    bool own = caucus_members_position(&list, context->parent->rank) >= 0;
    caucus_members_free(&list);
    if (!merges)
        return check_strangers(call);
    return own ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_ARGUMENT, "%s lack %d, this group's own first member",
                             call->name, context->parent->rank);
}

static int check(const struct call *call) {
    int status = caucus_group_check_new(call->made, "the new group");
    return status ? status : caucus_group_check_tag(call->tag);
}

/* Others wait for what a first has to say, so it says too that it has erred. */
static int begin(const struct call *call, caucus_request *request) {
    struct caucus_context *context = call->group->context;
    bool first = context->rank == 0;
    int status = check(call);
    if (!status && first)
        status = check_list(call);
    if (status && !first)
        return status;
    const struct caucus_merging_wish wish = {
        .parent = context->parent->attachment,
        .group = context->group,
        .meets = call->meets,
        .tag = call->tag,
        .ranks = call->list,
        .count = call->list && call->count > 0 ? call->count : 0,
        .status = status,
    };
    return caucus_making_of_merging(context->parent, context, &wish, call->made, call->instead,
                                    request);
}

static int run(const struct call *call, caucus_request *request) {
    int status = caucus_group_check(call->group);
    if (!status)
        status = caucus_making_clear(request);
    if (!status)
        status = begin(call, request);
    return caucus_group_conclude(call->group, call->function, status);
}

static int run_and_wait(const struct call *call) {
    caucus_request request;
    return caucus_making_await(call->function, run(call, &request), &request);
}

/* With a request, and waiting. */
#define LISTED(name, meets, list)                                                                  \
    int caucus_group_i##name(caucus_group group, const int list[], int count, int tag,             \
                             caucus_group *made, caucus_request *request) {                        \
        struct call call = {__func__, group, meets, #list, list, count, tag, made, NULL};          \
        return run(&call, request);                                                                \
    }                                                                                              \
    int caucus_group_##name(caucus_group group, const int list[], int count, int tag,              \
                            caucus_group *made) {                                                  \
        struct call call = {__func__, group, meets, #list, list, count, tag, made, NULL};          \
        return run_and_wait(&call);                                                                \
    }

LISTED(merge, CAUCUS_GROUP_MERGES, firsts)
LISTED(grow, CAUCUS_GROUP_JOINS, joining)
LISTED(take, CAUCUS_GROUP_TAKES, askers)

int caucus_group_iask(caucus_group group, int first, int tag, caucus_group *merged, int *instead,
                      caucus_request *request) {
    struct call call = {__func__, group,  CAUCUS_GROUP_ASKS, "first", &first, 1, tag,
                        merged,   instead};
    return run(&call, request);
}

int caucus_group_ask(caucus_group group, int first, int tag, caucus_group *merged, int *instead) {
    struct call call = {__func__, group,  CAUCUS_GROUP_ASKS, "first", &first, 1, tag,
                        merged,   instead};
    return run_and_wait(&call);
}

/* What is asked of this rank is looked at by the first member alone. */
static int check_first(caucus_group group, int tag) {
    int status = caucus_group_check(group);
    if (status)
        return status;
    if (group->context->rank != 0)
        return caucus_fail(CAUCUS_BAD_RANK, "this is rank %d of the group: rank 0 speaks for it",
                           group->context->rank);
    return caucus_group_check_tag(tag);
}

int caucus_group_poll(caucus_group group, int tag, int limit, int askers[], int *count) {
    int status = check_first(group, tag);
    if (!status && !(askers && count && limit >= 0))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "askers or count is a null pointer, or limit (%d) is negative", limit);
    if (!status)
        status = caucus_join_request_poll(group->context->group, tag, limit, askers, count);
    return caucus_group_conclude(group, __func__, status);
}

int caucus_group_refuse(caucus_group group, int asker, int tag) {
    int status = check_first(group, tag);
    if (!status)
        status = caucus_join_request_refuse(group->context->group, tag, asker);
    return caucus_group_conclude(group, __func__, status);
}
