/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/protocol/runner.h"

#include "base/memory.h"
#include "base/status.h"

#include <mpi.h>
#include <stdlib.h>

static const double NEVER = 1e300;

int caucus_runner_begin(struct caucus_runner *runner, const struct caucus_runner_binding *binding,
                        const void *setup, int32_t me, struct caucus_actions *actions,
                        void *owner) {
    *runner = (struct caucus_runner){binding, setup, owner, NULL, actions, 0, {0}};
    for (int i = 0; i < CAUCUS_RUNNER_TIMERS; i++)
        runner->due[i] = NEVER;
    runner->state = caucus_array(binding->protocol->state_bytes(setup), 1);
    if (!runner->state)
        return CAUCUS_NO_MEMORY;
    binding->protocol->begin(setup, me, runner->state);
    return CAUCUS_OK;
}

void caucus_runner_end(struct caucus_runner *runner) {
    free(runner->state);
    runner->state = NULL;
}

static int act(struct caucus_runner *runner, const struct caucus_action *action,
               const void *bytes) {
    const struct caucus_runner_binding *binding = runner->binding;
    switch (action->kind) {
    case CAUCUS_ACTION_SEND:
        return binding->send(runner->owner, action->peer, bytes, action->length);
    case CAUCUS_ACTION_TIMER:
        if (action->number < 0 || action->number >= CAUCUS_RUNNER_TIMERS)
            return caucus_fail(CAUCUS_INTERNAL, "%s sets timer %lld: there are %d",
                               binding->protocol->name, (long long)action->number,
                               CAUCUS_RUNNER_TIMERS);
        runner->due[action->number] =
            action->after < 0 ? NEVER : PMPI_Wtime() + 1e-9 * (double)action->after;
        return CAUCUS_OK;
    case CAUCUS_ACTION_DECIDE:
        binding->decide(runner->owner, action->number, bytes, action->length);
        return CAUCUS_OK;
    default:
        if (binding->deliver)
            binding->deliver(runner->owner, action->peer, bytes, action->length);
        return CAUCUS_OK;
    }
}

int caucus_runner_make_room(struct caucus_actions *actions, int64_t count, int64_t length) {
    static const unsigned char bytes[64];
    caucus_actions_clear(actions);
    for (int64_t i = 0; i < count && !actions->status; i++)
        caucus_act_send(actions, 0, bytes, length);
    int status = actions->status;
    caucus_actions_clear(actions);
    return status;
}

int caucus_runner_go_on(struct caucus_runner *runner) {
    const struct caucus_actions *actions = runner->actions;
    int status = actions->status;
    for (int64_t i = runner->done; i < actions->count && !status; i++) {
        status = act(runner, &actions->action[i], caucus_action_bytes(actions, i));
        runner->done = i + (status == CAUCUS_OK);
    }
    return status;
}

int caucus_runner_step(struct caucus_runner *runner, const struct caucus_event *event) {
    struct caucus_actions *actions = runner->actions;
    caucus_actions_clear(actions);
    runner->done = 0;
    runner->binding->protocol->step(runner->setup, runner->state, event, actions);
    return caucus_runner_go_on(runner);
}

int caucus_runner_call(struct caucus_runner *runner, int64_t number, const void *bytes,
                       int64_t length) {
    const struct caucus_event event = {
        .kind = CAUCUS_EVENT_CALL, .peer = -1, .number = number, .bytes = bytes, .length = length};
    return caucus_runner_step(runner, &event);
}

int caucus_runner_hear(struct caucus_runner *runner, int32_t peer, const void *bytes,
                       int64_t length) {
    const struct caucus_event event = {
        .kind = CAUCUS_EVENT_MESSAGE, .peer = peer, .bytes = bytes, .length = length};
    return caucus_runner_step(runner, &event);
}

int caucus_runner_hear_death(struct caucus_runner *runner, int32_t peer) {
    const struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH, .peer = peer};
    return caucus_runner_step(runner, &event);
}

int caucus_runner_hear_timer(struct caucus_runner *runner, double now, bool *found) {
    *found = false;
    for (int i = 0; i < CAUCUS_RUNNER_TIMERS; i++) {
        const struct caucus_event event = {.kind = CAUCUS_EVENT_TIMER, .number = i};
        if (now < runner->due[i])
            continue;
        runner->due[i] = NEVER;
        *found = true;
        return caucus_runner_step(runner, &event);
    }
    return CAUCUS_OK;
}

bool caucus_runner_hears(const struct caucus_runner *runner, const struct caucus_event *event) {
    const struct caucus_protocol *protocol = runner->binding->protocol;
    return !protocol->hears || protocol->hears(runner->setup, runner->state, event);
}
