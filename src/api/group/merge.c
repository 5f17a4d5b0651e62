/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that become one, grow, and lose members. */
#include "api/group/making.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>

#include <stdlib.h>

/* A call of a member of a group that merges or grows. */
struct call {
    const char *function;
    caucus_group group;
    int64_t meets;
    const char *name; /* of the list */
    const int *list;
    int count, tag;
    caucus_group *made;
};

/* How the list fails: a first that is none, or there twice, or none of them this rank; who joins
 * must be no member. */
static int check_list(const struct call *call) {
    const struct caucus_team *team = call->group->team;
    struct caucus_members list;
    bool joins = call->meets == CAUCUS_GROUP_JOINS;
    if (call->count < 0 || (!joins && call->count == 0))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%d groups merge: there must be at least one",
                           call->count);
    if (call->count == 0)
        return CAUCUS_OK;
    if (!call->list)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", call->name);
    int status = caucus_members_from_list(&list, team->parent->size, call->count, call->list);
    if (status)
        return caucus_fail_in(status, "%s", call->name);
    for (int i = 0; i < call->count && joins && !status; i++)
        if (caucus_members_position(&team->group->members, call->list[i]) >= 0)
            status = caucus_fail(CAUCUS_BAD_ARGUMENT, "%s[%d] is %d, which is a member already",
                                 call->name, i, call->list[i]);
    if (!joins && caucus_members_position(&list, team->parent->rank) < 0)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "%s lacks %d, this group's own first member",
                             call->name, team->parent->rank);
    caucus_members_free(&list);
    return status;
}

static int check(const struct call *call) {
    if (!call->made)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the new group is a null pointer");
    *call->made = CAUCUS_GROUP_NULL;
    return call->tag >= 0 ? CAUCUS_OK
                          : caucus_fail(CAUCUS_BAD_ARGUMENT,
                                        "tag is %d: it must be from 0 to 2147483647", call->tag);
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
                  : caucus_making_of_merging(team->parent, team, merging, call->made, request);
}

static int run(const struct call *call, caucus_request *request) {
    int code = caucus_group_check(call->group, call->function);
    if (!code)
        code = caucus_making_check(call->group->team->parent->comm, call->function, request);
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
    struct call call = {__func__, group, CAUCUS_GROUP_MERGES, "firsts", firsts, k, tag, merged};
    return run(&call, request);
}

int caucus_group_merge(caucus_group group, const int firsts[], int k, int tag,
                       caucus_group *merged) {
    struct call call = {__func__, group, CAUCUS_GROUP_MERGES, "firsts", firsts, k, tag, merged};
    return run_and_wait(&call);
}

int caucus_group_igrow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown,
                       caucus_request *request) {
    struct call call = {__func__, group, CAUCUS_GROUP_JOINS, "joining", joining, n, tag, grown};
    return run(&call, request);
}

int caucus_group_grow(caucus_group group, const int joining[], int n, int tag,
                      caucus_group *grown) {
    struct call call = {__func__, group, CAUCUS_GROUP_JOINS, "joining", joining, n, tag, grown};
    return run_and_wait(&call);
}
