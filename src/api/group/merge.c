/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that become one, take in others, and ask to be taken in. */
#include "api/group/making.h"
#include "api/raise.h"
#include "base/status.h"
#include "run/group/asking.h"

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
    const struct caucus_members *members = &call->group->team->group->members;
    for (int i = 0; i < call->count; i++)
        if (caucus_members_position(members, call->list[i]) >= 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s[%d] is %d, which is a member already",
                               call->name, i, call->list[i]);
    return CAUCUS_OK;
}

/* Ranks of the parent, each once; firsts with this group's own among them. */
static int check_list(const struct call *call) {
    const struct caucus_team *team = call->group->team;
    struct caucus_members list;
    bool merges = call->meets == CAUCUS_GROUP_MERGES;
    if (call->count < 0 || (merges && call->count == 0))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s are %d: there must be at least %d", call->name,
                           call->count, merges ? 1 : 0);
    if (call->count == 0)
        return CAUCUS_OK;
    if (!call->list)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", call->name);
    int status = caucus_members_from_list(&list, team->parent->size, call->count, call->list);
    if (status)
        return caucus_fail_in(status, "%s", call->name);
    bool own = caucus_members_position(&list, team->parent->rank) >= 0;
    caucus_members_free(&list);
    if (!merges)
        return check_strangers(call);
    return own ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_ARGUMENT, "%s lack %d, this group's own first member",
                             call->name, team->parent->rank);
}

static int check(const struct call *call) {
    if (!call->made)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the new group is a null pointer");
    *call->made = CAUCUS_GROUP_NULL;
    return caucus_group_check_tag(call->tag);
}

/* Others wait for what a first has to say, so it says too that it has erred. */
static int begin(const struct call *call, caucus_request *request) {
    struct caucus_team *team = call->group->team;
    struct caucus_merging *merging;
    bool first = team->rank == 0;
    int status = check(call);
    if (!status && first)
        status = check_list(call);
    if (status && !first)
        return status;
    struct caucus_merging_wish wish = {
        .parent = team->parent->attachment,
        .group = team->group,
        .meets = call->meets,
        .tag = call->tag,
        .ranks = call->list,
        .count = call->list && call->count > 0 ? call->count : 0,
        .status = status,
    };
    status = caucus_merging_begin(&wish, &merging);
    return status ? status
                  : caucus_making_of_merging(team->parent, team, merging, call->made, call->instead,
                                             request);
}

static int run(const struct call *call, caucus_request *request) {
    int code = caucus_group_check(call->group, call->function);
    if (!code)
        code = caucus_making_check_of(call->group->team, call->function, request);
    if (code)
        return code;
    int status = begin(call, request);
    return status ? caucus_team_raise(call->group->team, false, call->function, status)
                  : MPI_SUCCESS;
}

static int run_and_wait(const struct call *call) {
    caucus_request request;
    int code = run(call, &request);
    return code ? code : caucus_making_await(call->function, &request);
}

int caucus_group_imerge(caucus_group group, const int firsts[], int k, int tag,
                        caucus_group *merged, caucus_request *request) {
    struct call call = {__func__, group, CAUCUS_GROUP_MERGES, "firsts", firsts, k, tag,
                        merged,   NULL};
    return run(&call, request);
}

int caucus_group_merge(caucus_group group, const int firsts[], int k, int tag,
                       caucus_group *merged) {
    struct call call = {__func__, group, CAUCUS_GROUP_MERGES, "firsts", firsts, k, tag,
                        merged,   NULL};
    return run_and_wait(&call);
}

int caucus_group_igrow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown,
                       caucus_request *request) {
    struct call call = {__func__, group, CAUCUS_GROUP_JOINS, "joining", joining, n, tag,
                        grown,    NULL};
    return run(&call, request);
}

int caucus_group_grow(caucus_group group, const int joining[], int n, int tag,
                      caucus_group *grown) {
    struct call call = {__func__, group, CAUCUS_GROUP_JOINS, "joining", joining, n, tag,
                        grown,    NULL};
    return run_and_wait(&call);
}

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

int caucus_group_itake(caucus_group group, const int askers[], int k, int tag, caucus_group *merged,
                       caucus_request *request) {
    struct call call = {__func__, group, CAUCUS_GROUP_TAKES, "askers", askers, k, tag,
                        merged,   NULL};
    return run(&call, request);
}

int caucus_group_take(caucus_group group, const int askers[], int k, int tag,
                      caucus_group *merged) {
    struct call call = {__func__, group, CAUCUS_GROUP_TAKES, "askers", askers, k, tag,
                        merged,   NULL};
    return run_and_wait(&call);
}

/* What is asked of this rank is looked at by the first member alone. */
static int check_first(caucus_group group, const char *function, int tag) {
    const struct caucus_team *team = group->team;
    int status;
    if (team->rank != 0)
        status = caucus_fail(CAUCUS_BAD_RANK, "this is rank %d of the group: rank 0 speaks for it",
                             team->rank);
    else
        status = caucus_group_check_tag(tag);
    return status ? caucus_team_raise(team, false, function, status) : MPI_SUCCESS;
}

int caucus_group_poll(caucus_group group, int tag, int limit, int askers[], int *count) {
    int code = caucus_group_check(group, __func__);
    if (!code)
        code = check_first(group, __func__, tag);
    if (code)
        return code;
    int status =
        askers && count && limit >= 0
            ? caucus_asking_poll(group->team->group, tag, limit, askers, count)
            : caucus_fail(CAUCUS_BAD_ARGUMENT,
                          "askers or count is a null pointer, or limit (%d) is negative", limit);
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}

int caucus_group_refuse(caucus_group group, int asker, int tag) {
    int code = caucus_group_check(group, __func__);
    if (!code)
        code = check_first(group, __func__, tag);
    if (code)
        return code;
    int status = caucus_asking_refuse(group->team->group, tag, asker);
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}
