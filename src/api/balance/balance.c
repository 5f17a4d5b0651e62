/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/balance.h>
#include <caucus/group.h>

#include "api/collective/context.h"
#include "api/common/raise.h"
#include "api/group/object.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/balance/runner.h"

#include <stdlib.h>

_Static_assert((int)CAUCUS_BALANCE_SAME == (int)CAUCUS_BALANCE_NEWS_SAME &&
                   (int)CAUCUS_BALANCE_GROWN == (int)CAUCUS_BALANCE_NEWS_GROWN &&
                   (int)CAUCUS_BALANCE_OVER == (int)CAUCUS_BALANCE_NEWS_OVER,
               "as the protocol has it");

struct caucus_balance_object {
    struct caucus_context *context; /* held */
    struct caucus_balance_runner *runner;
    caucus_group group;
    bool behind; /* the runner's is another one by now, which there was no memory for */
};

static int conclude(caucus_balance balance, const char *function, int status) {
    return caucus_context_raise(balance ? balance->context : NULL, false, function, status);
}

static int check(caucus_balance balance, const void *result, const char *name) {
    if (!balance)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "balance is CAUCUS_BALANCE_NULL");
    return caucus_check_pointer(result, name);
}

/* The group that the runner tells of takes the place of the one before. */
static int regroup(struct caucus_balance_object *balance, bool numbered) {
    struct caucus_members members;
    struct caucus_light_group *made;
    caucus_group group;
    int status = caucus_balance_runner_members(balance->runner, &members);
    if (!status)
        status = numbered ? caucus_group_make_numbered(balance->context->attachment, &members,
                                                       balance->runner->group.number, &made)
                          : caucus_group_make(balance->context->attachment, &members,
                                              CAUCUS_GROUP_BALANCES, 0, CAUCUS_GROUP_LATER, &made);
    if (!status)
        status = caucus_group_wrap(balance->context, made, &group);
    if (status)
        return status;
    if (balance->group)
        caucus_group_free(&balance->group);
    balance->group = group;
    return CAUCUS_OK;
}

static int open(struct caucus_context *context, int group_size,
                struct caucus_balance_object *made) {
    struct caucus_attachment *attachment = context->attachment;
    int size = group_size < attachment->size ? group_size : attachment->size;
    int status = caucus_balance_runner_open(attachment, size, &made->runner);
    if (!status)
        status = regroup(made, false);
    return caucus_opening_agree(context, status, "group_size", group_size);
}

static void drop(struct caucus_balance_object *balance) {
    if (balance->group)
        caucus_group_free(&balance->group);
    caucus_context_let_go(balance->context);
    free(balance);
}

int caucus_balance_open(MPI_Comm comm, int group_size, caucus_balance *balance) {
    struct caucus_context *context;
    int code = caucus_opening_context(comm, __func__, &context);
    if (code)
        return code;
    struct caucus_balance_object *made = caucus_array(1, sizeof *made);
    int status = !made     ? CAUCUS_NO_MEMORY
                 : balance ? CAUCUS_OK
                           : caucus_fail(CAUCUS_BAD_ARGUMENT, "balance is a null pointer");
    if (!status && group_size < 1)
        status =
            caucus_fail(CAUCUS_BAD_ARGUMENT, "group_size is %d: it must be at least 1", group_size);
    status = caucus_opening_agree(context, status, "group_size", group_size);
    if (status) {
        free(made);
        return caucus_raise(comm, context->attachment, __func__, status);
    }
    made->context = context;
    caucus_context_hold(context);
    status = open(context, group_size, made);
    if (!status) {
        *balance = made;
        caucus_succeed();
        return MPI_SUCCESS;
    }
    if (made->group) /* which others have not made */
        caucus_group_uncount(made->group->context->group);
    if (made->runner) {
        made->runner->status = status;
        caucus_balance_runner_close(made->runner);
    }
    status = caucus_raise(comm, context->attachment, __func__, status);
    drop(made);
    return status;
}

int caucus_balance_group(caucus_balance balance, caucus_group *group, int *source, int *work) {
    int status = check(balance, balance, "balance");
    if (status)
        return conclude(balance, __func__, status);
    const struct caucus_balance_group *now = &balance->runner->group;
    if (group)
        *group = balance->group;
    if (source)
        *source = (now->source - now->first + balance->context->size) % balance->context->size;
    if (work)
        *work = now->work;
    return MPI_SUCCESS;
}

int caucus_balance_poll(caucus_balance balance, int busy, int *news) {
    enum caucus_balance_news found = CAUCUS_BALANCE_NEWS_SAME;
    int status = check(balance, news, "news");
    if (!status && balance->behind)
        found = CAUCUS_BALANCE_NEWS_GROWN;
    else if (!status)
        status = caucus_balance_runner_poll(balance->runner, busy != 0, &found);
    if (!status && found == CAUCUS_BALANCE_NEWS_GROWN) {
        status = regroup(balance, true);
        balance->behind = status != CAUCUS_OK;
    }
    if (!status)
        *news = (int)found;
    return conclude(balance, __func__, status);
}

int caucus_balance_statistics(caucus_balance balance, caucus_balance_counters *counters) {
    int status = check(balance, counters, "counters");
    if (status)
        return conclude(balance, __func__, status);
    const struct caucus_balance_numbers *numbers = &balance->runner->numbers;
    *counters = (caucus_balance_counters){numbers->polls, numbers->regroupings, numbers->asks,
                                          numbers->messages, numbers->waited};
    return MPI_SUCCESS;
}

int caucus_balance_close(caucus_balance *balance) {
    struct caucus_balance_object *closed = balance ? *balance : CAUCUS_BALANCE_NULL;
    int status = check(closed, balance, "balance");
    if (!status && closed->behind) /* it gives up */
        closed->runner->status = CAUCUS_NO_MEMORY;
    if (!status && !closed->runner->over && !closed->runner->status)
        status = caucus_fail(CAUCUS_PENDING, "no poll of this rank has told that all works are "
                                             "done (CAUCUS_BALANCE_OVER)");
    if (status)
        return conclude(closed, __func__, status);
    *balance = CAUCUS_BALANCE_NULL;
    status = caucus_balance_runner_close(closed->runner);
    int code = conclude(closed, __func__, status);
    drop(closed);
    return code;
}
