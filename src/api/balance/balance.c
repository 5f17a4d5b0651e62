/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/balance.h>
#include <caucus/group.h>

#include "api/collective/queued.h"
#include "api/group/object.h"
#include "api/opening.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/balance/runner.h"
#include "run/private.h"

#include <stdlib.h>

_Static_assert((int)CAUCUS_BALANCE_SAME == (int)CAUCUS_BALANCE_NEWS_SAME &&
                   (int)CAUCUS_BALANCE_GROWN == (int)CAUCUS_BALANCE_NEWS_GROWN &&
                   (int)CAUCUS_BALANCE_OVER == (int)CAUCUS_BALANCE_NEWS_OVER,
               "as the protocol has it");

struct caucus_balance_object {
    struct caucus_team *team; /* held */
    struct caucus_balance_runner *runner;
    caucus_group group;
};

static int raise(caucus_balance balance, const char *function, int status) {
    if (!status)
        return MPI_SUCCESS;
    return balance ? caucus_team_raise(balance->team, false, function, status)
                   : caucus_raise(MPI_COMM_SELF, NULL, function, status);
}

static int check(caucus_balance balance, const void *result, const char *name) {
    if (!balance)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "balance is CAUCUS_BALANCE_NULL");
    return result ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", name);
}

/* The group that the runner tells of takes the place of the one before. */
static int regroup(struct caucus_balance_object *balance, bool numbered) {
    struct caucus_members members;
    struct caucus_light_group *made;
    caucus_group group;
    int status = caucus_balance_runner_members(balance->runner, &members);
    if (!status)
        status = numbered ? caucus_group_make_numbered(balance->team->attachment, &members,
                                                       balance->runner->group.number, &made)
                          : caucus_group_make(balance->team->attachment, &members, -1, 0,
                                              CAUCUS_GROUP_LATER, &made);
    if (!status)
        status = caucus_group_wrap(balance->team, made, &group);
    if (status)
        return status;
    if (balance->group)
        caucus_group_free(&balance->group);
    balance->group = group;
    return CAUCUS_OK;
}

static int agree(const struct caucus_team *team, int status, int group_size) {
    const int64_t size = group_size;
    const struct caucus_item item = {"group_size", CAUCUS_ITEM_LONGS, &size, 1};
    return caucus_agree(&team->attachment->peers, status, 1, &item);
}

static int open(struct caucus_team *team, int group_size, struct caucus_balance_object *made) {
    struct caucus_attachment *attachment = team->attachment;
    MPI_Comm private;
    int first_group, size = group_size < attachment->size ? group_size : attachment->size;
    int status = caucus_private_make(attachment->comm, &private, &first_group);
    if (status)
        return status;
    status = caucus_balance_runner_open(attachment, private, size, &made->runner);
    if (status)
        caucus_private_free(&private);
    else
        status = regroup(made, false);
    return agree(team, status, group_size);
}

static void drop(struct caucus_balance_object *balance) {
    if (balance->group)
        caucus_group_free(&balance->group);
    caucus_team_let_go(balance->team);
    free(balance);
}

int caucus_balance_open(MPI_Comm comm, int group_size, caucus_balance *balance) {
    struct caucus_team *team;
    int code = caucus_opening_team(comm, __func__, &team);
    if (code)
        return code;
    struct caucus_balance_object *made = caucus_array(1, sizeof *made);
    int status = !made     ? CAUCUS_NO_MEMORY
                 : balance ? CAUCUS_OK
                           : caucus_fail(CAUCUS_BAD_ARGUMENT, "balance is a null pointer");
    if (!status && group_size < 1)
        status =
            caucus_fail(CAUCUS_BAD_ARGUMENT, "group_size is %d: it must be at least 1", group_size);
    status = agree(team, status, group_size);
    if (status) {
        free(made);
        return caucus_raise(comm, team->attachment, __func__, status);
    }
    made->team = team;
    caucus_team_hold(team);
    status = open(team, group_size, made);
    if (!status) {
        *balance = made;
        return MPI_SUCCESS;
    }
    if (made->runner) {
        made->runner->status = status;
        caucus_balance_runner_close(made->runner, caucus_queued_progress);
    }
    status = caucus_raise(comm, team->attachment, __func__, status);
    drop(made);
    return status;
}

int caucus_balance_group(caucus_balance balance, caucus_group *group, int *source, int *work) {
    int status = check(balance, balance, "balance");
    if (status)
        return raise(balance, __func__, status);
    const struct caucus_balance_group *now = &balance->runner->group;
    if (group)
        *group = balance->group;
    if (source)
        *source = (now->source - now->first + balance->team->size) % balance->team->size;
    if (work)
        *work = now->work;
    return MPI_SUCCESS;
}

int caucus_balance_poll(caucus_balance balance, int busy, int *news) {
    enum caucus_balance_news found = CAUCUS_BALANCE_NEWS_SAME;
    int status = check(balance, news, "news");
    if (!status)
        status =
            caucus_balance_runner_poll(balance->runner, busy != 0, caucus_queued_progress, &found);
    if (!status && found == CAUCUS_BALANCE_NEWS_GROWN)
        status = balance->runner->status = regroup(balance, true);
    if (!status)
        *news = (int)found;
    return raise(balance, __func__, status);
}

int caucus_balance_statistics(caucus_balance balance, caucus_balance_counters *counters) {
    int status = check(balance, counters, "counters");
    if (status)
        return raise(balance, __func__, status);
    const struct caucus_balance_numbers *numbers = &balance->runner->numbers;
    *counters = (caucus_balance_counters){numbers->polls, numbers->regroupings, numbers->asks,
                                          numbers->messages, numbers->waited};
    return MPI_SUCCESS;
}

int caucus_balance_close(caucus_balance *balance) {
    struct caucus_balance_object *closed = balance ? *balance : CAUCUS_BALANCE_NULL;
    int status = check(closed, balance, "balance");
    if (!status && !closed->runner->over && !closed->runner->status)
        status = caucus_fail(CAUCUS_PENDING, "no poll of this rank has told that all works are "
                                             "done (CAUCUS_BALANCE_OVER)");
    if (status)
        return raise(closed, __func__, status);
    *balance = CAUCUS_BALANCE_NULL;
    status = caucus_balance_runner_close(closed->runner, caucus_queued_progress);
    int code = raise(closed, __func__, status);
    drop(closed);
    return code;
}
