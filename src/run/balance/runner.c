/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/balance/runner.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/engine.h"
#include "run/mail.h"
#include "run/waits.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 300 };

int caucus_balance_runner_open(struct caucus_attachment *attachment, MPI_Comm comm,
                               int32_t group_size, struct caucus_balance_runner **made) {
    struct caucus_balance_runner *runner = caucus_array(1, sizeof *runner);
    if (!runner)
        return CAUCUS_NO_MEMORY;
    runner->setup = (struct caucus_balance_setup){attachment->size, group_size};
    runner->attachment = attachment;
    runner->number = -1;
    runner->state = caucus_array(caucus_balance_protocol.state_bytes(&runner->setup), 1);
    int status = runner->state ? caucus_mail_open(comm, CAUCUS_BALANCE_MESSAGE_BYTES, &runner->mail)
                               : CAUCUS_NO_MEMORY;
    if (status) {
        free(runner->state);
        free(runner);
        return status;
    }
    caucus_attachment_hold(attachment);
    caucus_balance_protocol.begin(&runner->setup, attachment->rank, runner->state);
    runner->group = caucus_balance_current(runner->state);
    *made = runner;
    return CAUCUS_OK;
}

static void decide(struct caucus_balance_runner *runner, const struct caucus_action *action,
                   const void *bytes) {
    runner->decided = true;
    runner->news = (enum caucus_balance_news)action->number;
    if (runner->news != CAUCUS_BALANCE_NEWS_GROWN)
        return;
    memcpy(&runner->group, bytes, sizeof runner->group);
    runner->numbers.regroupings++;
    if (runner->group.number == runner->number)
        runner->number = -1;
}

static int step(struct caucus_balance_runner *runner, const struct caucus_event *event) {
    struct caucus_actions *actions = &runner->actions;
    caucus_actions_clear(actions);
    caucus_balance_protocol.step(&runner->setup, runner->state, event, actions);
    int status = actions->status;
    for (int64_t i = 0; i < actions->count && !status; i++) {
        const struct caucus_action *action = &actions->action[i];
        const void *bytes = caucus_action_bytes(actions, i);
        if (action->kind == CAUCUS_ACTION_DECIDE) {
            decide(runner, action, bytes);
        } else {
            runner->numbers.messages++;
            runner->numbers.asks += caucus_balance_is_ask(bytes);
            status = caucus_mail_send(runner->mail, action->peer, bytes, (int)action->length);
        }
    }
    return status;
}

/* What has come, but no more than it takes to decide. */
static int take_all(struct caucus_balance_runner *runner) {
    struct caucus_mail_letter letter;
    bool taken = true;
    int status = caucus_mail_take(runner->mail, &taken, &letter);
    while (!status && taken) {
        struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                     .peer = letter.source,
                                     .bytes = letter.bytes,
                                     .length = letter.length};
        status = step(runner, &event);
        if (runner->decided)
            return status;
        if (!status)
            status = caucus_mail_take(runner->mail, &taken, &letter);
    }
    return status;
}

static int call(struct caucus_balance_runner *runner, bool busy) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL, .peer = -1, .number = busy};
    if (!busy && caucus_balance_speaks(runner->state) && runner->number < 0) {
        int status = caucus_group_number_take(runner->attachment, &runner->number);
        if (status)
            return status;
    }
    event.bytes = &runner->number;
    event.length = sizeof runner->number;
    return step(runner, &event);
}

static void explain(const void *context, char *text, int64_t size) {
    const struct caucus_balance_runner *runner = context;
    caucus_balance_explain(&runner->setup, runner->state, text, size);
}

static int give_up(const struct caucus_balance_runner *runner, double timeout) {
    char text[WORDS];
    explain(runner, text, sizeof text);
    return caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, %s", timeout, text);
}

static int await(struct caucus_balance_runner *runner, bool (*also)(void)) {
    struct caucus_mail_wait wait = {0};
    struct caucus_waits_call call = {.name = "a poll of a balance",
                                     .comm = runner->attachment->comm,
                                     .explain = explain,
                                     .context = runner};
    double seconds = 0, timeout = runner->attachment->engine->timeout;
    caucus_waits_call_begin(&call);
    int status = take_all(runner);
    while (!status && !runner->decided) {
        caucus_mail_pause(runner->mail, &wait, also, &seconds);
        status = take_all(runner);
        if (!status && !runner->decided && timeout > 0 && seconds > timeout)
            status = give_up(runner, timeout);
    }
    caucus_waits_call_end(&call);
    runner->numbers.waited += seconds;
    return status;
}

int caucus_balance_runner_poll(struct caucus_balance_runner *runner, bool busy, bool (*also)(void),
                               enum caucus_balance_news *news) {
    if (runner->status)
        return caucus_fail(runner->status, "an earlier poll has failed");
    runner->decided = false;
    runner->numbers.polls++;
    int status = take_all(runner);
    if (!status)
        status = call(runner, busy);
    if (!status && !runner->decided)
        status = await(runner, also);
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

int caucus_balance_runner_close(struct caucus_balance_runner *runner, bool (*also)(void)) {
    int status =
        caucus_mail_close(runner->mail, !runner->status, also, runner->attachment->engine->timeout);
    if (runner->number >= 0)
        caucus_group_number_give(runner->attachment, runner->number);
    caucus_actions_free(&runner->actions);
    caucus_attachment_let_go(runner->attachment);
    free(runner->state);
    free(runner);
    return status;
}
