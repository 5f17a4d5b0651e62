/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/balance/runner.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "run/engine/engine.h"
#include "run/support/notice.h"
#include "run/support/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 300, MOST_ACTIONS = 2 * CAUCUS_POSITION_CHILDREN + 8 };

static void decide(void *owner, int64_t news, const void *bytes, int64_t length) {
    struct caucus_balance_runner *runner = owner;
    (void)length;
    runner->decided = true;
    runner->news = (enum caucus_balance_news)news;
    if (runner->news != CAUCUS_BALANCE_NEWS_GROWN)
        return;
    memcpy(&runner->group, bytes, sizeof runner->group);
    runner->numbers.regroupings++;
    if (runner->group.number == runner->number)
        runner->number = -1;
}

static int send(void *owner, int32_t rank, const void *bytes, int64_t length) {
    struct caucus_balance_runner *runner = owner;
    runner->numbers.messages++;
    runner->numbers.asks += caucus_balance_is_ask(bytes);
    return caucus_rank_mailbox_send(&runner->mailbox, rank, bytes, length, NULL, 0);
}

static const struct caucus_runner_binding binding = {
    .protocol = &caucus_balance_protocol, .send = send, .decide = decide};

static void drop(struct caucus_balance_runner *runner) {
    caucus_actions_free(&runner->actions);
    caucus_runner_end(&runner->runner);
    free(runner);
}

int caucus_balance_runner_open(struct caucus_attachment *attachment, int32_t group_size,
                               struct caucus_balance_runner **made) {
    struct caucus_rank_mailbox mailbox;
    int status = caucus_rank_mailbox_open(&mailbox, attachment, CAUCUS_BALANCE_MESSAGE_BYTES);
    if (status)
        return status;
    struct caucus_balance_runner *runner = caucus_array(1, sizeof *runner);
    if (!runner) {
        caucus_rank_mailbox_close(&mailbox, false, 0);
        return CAUCUS_NO_MEMORY;
    }
    runner->setup = (struct caucus_balance_setup){attachment->size, group_size};
    runner->attachment = attachment;
    runner->mailbox = mailbox;
    runner->number = -1;
    status = caucus_runner_begin(&runner->runner, &binding, &runner->setup, attachment->rank,
                                 &runner->actions, runner);
    if (!status)
        status =
            caucus_runner_make_room(&runner->actions, MOST_ACTIONS, CAUCUS_BALANCE_MESSAGE_BYTES);
    if (status) {
        caucus_rank_mailbox_close(&mailbox, false, 0);
        drop(runner);
        return status;
    }
    caucus_attachment_hold(attachment);
    runner->group = caucus_balance_current(runner->runner.state);
    *made = runner;
    return CAUCUS_OK;
}

/* What has come, but no more than it takes to decide. */
static int take_all(struct caucus_balance_runner *runner) {
    struct caucus_mailbox_message came;
    bool taken = true;
    int status = caucus_mailbox_take(&runner->mailbox.box, &taken, &came);
    while (!status && taken) {
        status = caucus_runner_hear(&runner->runner, came.source, came.bytes, came.length);
        if (runner->decided)
            return status;
        if (!status)
            status = caucus_mailbox_take(&runner->mailbox.box, &taken, &came);
    }
    return status;
}

/* That others have to do without this one's help is no reason for any of them to fail. */
static void lack_number(struct caucus_balance_runner *runner) {
    char text[WORDS];
    runner->number = -1;
    if (runner->lacks_number)
        return;
    runner->lacks_number = true;
    snprintf(
        text, sizeof text,
        "a balance: rank %d has no number left for a group, or no memory: so its group helps no "
        "other one; groups that it is the first member of can be freed",
        runner->attachment->rank);
    caucus_notice(text);
}

static int call(struct caucus_balance_runner *runner, bool busy) {
    if (!busy && runner->number < 0 &&
        caucus_balance_may_ask(&runner->setup, runner->runner.state) &&
        caucus_group_number_take(runner->attachment, &runner->number))
        lack_number(runner);
    return caucus_runner_call(&runner->runner, busy, &runner->number, sizeof runner->number);
}

static void explain(const void *context, char *text, int64_t size) {
    const struct caucus_balance_runner *runner = context;
    caucus_balance_explain(&runner->setup, runner->runner.state, text, size);
}

static int give_up(const struct caucus_balance_runner *runner, double timeout) {
    char text[WORDS];
    explain(runner, text, sizeof text);
    return caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, %s", timeout, text);
}

static int await(struct caucus_balance_runner *runner) {
    struct caucus_rank_mailbox_wait wait = {0};
    struct caucus_waits_call call = {.name = "a poll of a balance",
                                     .comm = runner->attachment->comm,
                                     .explain = explain,
                                     .context = runner};
    double seconds = 0, timeout = runner->attachment->engine->timeout;
    caucus_waits_call_begin(&call);
    int status = take_all(runner);
    while (!status && !runner->decided) {
        caucus_rank_mailbox_pause(&runner->mailbox, &wait, &seconds);
        status = take_all(runner);
        if (!status && !runner->decided && timeout > 0 && seconds > timeout)
            status = give_up(runner, timeout);
    }
    caucus_waits_call_end(&call);
    runner->numbers.waited += seconds;
    return status;
}

int caucus_balance_runner_poll(struct caucus_balance_runner *runner, bool busy,
                               enum caucus_balance_news *news) {
    if (runner->status)
        return caucus_fail(runner->status, "an earlier poll has failed");
    runner->decided = false;
    runner->numbers.polls++;
    int status = take_all(runner);
    if (!status)
        status = call(runner, busy);
    if (!status && !runner->decided)
        status = await(runner);
    runner->status = status;
    *news = runner->news;
    runner->over = !status && *news == CAUCUS_BALANCE_NEWS_OVER;
    return status;
}

int caucus_balance_runner_members(const struct caucus_balance_runner *runner,
                                  struct caucus_members *members) {
    const struct caucus_balance_group *group = &runner->group;
    int32_t ranks = runner->setup.ranks, last = group->first + group->count - 1;
    if (last < ranks)
        return caucus_members_from_range(members, ranks, group->first, last, 1);
    int32_t *list = caucus_array(group->count, sizeof *list);
    if (!list)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < group->count; i++)
        list[i] = (group->first + i) % ranks;
    int status = caucus_members_from_list(members, ranks, group->count, list);
    free(list);
    return status;
}

int caucus_balance_runner_close(struct caucus_balance_runner *runner) {
    int status = caucus_rank_mailbox_close(&runner->mailbox, !runner->status,
                                           runner->attachment->engine->timeout);
    if (runner->number >= 0)
        caucus_group_number_give(runner->attachment, runner->number);
    caucus_attachment_let_go(runner->attachment);
    drop(runner);
    return status;
}
