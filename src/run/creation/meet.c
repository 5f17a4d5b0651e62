/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries plan/protocol/creation.h out, until it decides. */
#include "run/creation/creation.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "run/creation/post.h"
#include "run/engine.h"
#include "run/execution.h"
#include "run/waiting.h"
#include "run/waits.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TIMERS = 2, PATIENCE = 50000000, MOST_GRACE = 250000000 /* ns */ };
static const uint64_t WITHOUT_PARENT = UINT64_C(1) << 32; /* beside the tag */
_Static_assert((int)CAUCUS_LETTER_BYTES == (int)CAUCUS_CREATION_MESSAGE_BYTES, "what letters hold");

struct meeting {
    struct caucus_creation_call *call;
    struct caucus_post *post;
    struct caucus_creation_setup setup;
    void *state;
    uint64_t *numbers; /* of the calls with each member */
    struct caucus_actions actions;
    double runs_out[TIMERS]; /* by MPI_Wtime; 0: not set */
    bool decided;
    struct caucus_creation_outcome outcome;
};

static int position_of(const struct meeting *meeting, int32_t rank) {
    int position = 0;
    while (meeting->call->ranks[position] != rank)
        position++;
    return position;
}

static int step(struct meeting *meeting, const struct caucus_event *event);

static int tell_of_death(struct meeting *meeting, int position) {
    const struct caucus_event death = {.kind = CAUCUS_EVENT_DEATH,
                                       .peer = meeting->call->ranks[position]};
    return meeting->decided ? CAUCUS_OK : step(meeting, &death);
}

static void decide(struct meeting *meeting, const struct caucus_action *action, const void *bytes) {
    meeting->decided = true;
    meeting->outcome.code = (enum caucus_creation_code)action->number;
    meeting->outcome.rank = -1;
    if (action->number == CAUCUS_CREATION_DONE) {
        uint64_t tag;
        memcpy(&tag, bytes, sizeof tag);
        meeting->call->tag = (int)(tag & INT_MAX);
        meeting->call->without_parent = (tag & WITHOUT_PARENT) != 0;
    } else {
        memcpy(&meeting->outcome.rank, bytes, sizeof meeting->outcome.rank);
    }
}

/* A rank that cannot be sent to is dead; *dead is then its position. */
static void act(struct meeting *meeting, const struct caucus_action *action, const void *bytes,
                int *dead) {
    if (action->kind == CAUCUS_ACTION_TIMER) {
        meeting->runs_out[action->number] =
            action->after < 0 ? 0 : PMPI_Wtime() + 1e-9 * (double)action->after;
    } else if (action->kind == CAUCUS_ACTION_DECIDE) {
        decide(meeting, action, bytes);
    } else if (action->kind == CAUCUS_ACTION_SEND) {
        int position = position_of(meeting, action->peer);
        if (caucus_post_send(meeting->post, action->peer, meeting->call->topic,
                             meeting->numbers[position], bytes))
            *dead = position;
    }
}

static int step(struct meeting *meeting, const struct caucus_event *event) {
    int dead = -1;
    caucus_actions_clear(&meeting->actions);
    caucus_creation.step(&meeting->setup, meeting->state, event, &meeting->actions);
    if (meeting->actions.status)
        return meeting->actions.status;
    for (int64_t i = 0; i < meeting->actions.count; i++)
        act(meeting, &meeting->actions.action[i], caucus_action_bytes(&meeting->actions, i), &dead);
    return dead < 0 ? CAUCUS_OK : tell_of_death(meeting, dead);
}

static int hear(struct meeting *meeting, int position) {
    unsigned char bytes[CAUCUS_LETTER_BYTES];
    int32_t rank = meeting->call->ranks[position];
    if (position == meeting->call->me || meeting->decided)
        return CAUCUS_OK;
    int failed = caucus_post_look(meeting->post, rank), status = CAUCUS_OK;
    while (!meeting->decided && !status &&
           caucus_post_take(meeting->post, rank, meeting->call->topic, meeting->numbers[position],
                            caucus_creation_is_error, bytes)) {
        const struct caucus_event message = {
            .kind = CAUCUS_EVENT_MESSAGE, .peer = rank, .bytes = bytes, .length = sizeof bytes};
        status = step(meeting, &message);
    }
    return failed && !status ? tell_of_death(meeting, position) : status;
}

static int hear_timers(struct meeting *meeting) {
    int status = CAUCUS_OK;
    for (int i = 0; i < TIMERS && !meeting->decided && !status; i++) {
        const struct caucus_event event = {.kind = CAUCUS_EVENT_TIMER, .number = i};
        if (meeting->runs_out[i] <= 0 || PMPI_Wtime() < meeting->runs_out[i])
            continue;
        meeting->runs_out[i] = 0;
        status = step(meeting, &event);
    }
    return status;
}

/* Those above and below in the tree, and one of the others by turns: they have something to say
 * only where somebody erred. */
static int look_around(struct meeting *meeting, int64_t round) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int members = meeting->call->members, me = meeting->call->me;
    int count = caucus_position_children(members, me, children);
    int status = hear(meeting, caucus_position_parent(me));
    for (int i = 0; i < count && !status; i++)
        status = hear(meeting, children[i]);
    if (!status)
        status = hear(meeting, (int)(round % members));
    return status ? status : hear_timers(meeting);
}

static int run(struct meeting *meeting, bool (*also)(void)) {
    const struct caucus_engine *engine = meeting->call->attachment->engine;
    /* Of the first member it is everybody's. */
    uint64_t tag = meeting->call->me == 0
                       ? (uint64_t)caucus_creation_room_tag(meeting->call->attachment->creation)
                       : 0;
    const struct caucus_event call = {
        .kind = CAUCUS_EVENT_CALL, .bytes = &tag, .length = sizeof tag};
    int status = step(meeting, &call);
    for (int64_t round = 0; !meeting->decided && !status; round++) {
        status = look_around(meeting, round);
        if (meeting->decided || status)
            break;
        caucus_progress_all();
        if (also)
            also();
        caucus_waiting_brief(engine, round);
    }
    return status;
}

static void explain(const void *context, char *text, int64_t size) {
    const struct meeting *meeting = context;
    caucus_creation_explain(&meeting->setup, meeting->state, text, size);
}

/* What is told of it meanwhile names ranks of the attachment. */
static int run_and_tell(struct meeting *meeting, bool (*also)(void)) {
    struct caucus_waits_call call = {.name = meeting->call->name,
                                     .comm = meeting->call->attachment->comm,
                                     .explain = explain,
                                     .context = meeting};
    caucus_waits_call_begin(&call);
    int status = run(meeting, also);
    caucus_waits_call_end(&call);
    return status;
}

int caucus_creation_meet(struct caucus_creation_call *call, uint64_t hash, bool (*also)(void),
                         struct caucus_creation_outcome *outcome) {
    struct meeting meeting = {.call = call, .post = call->attachment->creation->post};
    meeting.setup = (struct caucus_creation_setup){
        .members = call->members,
        .ranks = call->ranks,
        .me = call->me,
        .checked = true,
        .wishes = call->without_parent ? WITHOUT_PARENT : 0,
        .hash = hash,
        .patience = PATIENCE,
        .timeout = (int64_t)(call->attachment->engine->timeout * 1e9)};
    meeting.setup.grace = meeting.setup.timeout / 8;
    if (meeting.setup.grace > MOST_GRACE)
        meeting.setup.grace = MOST_GRACE;
    meeting.state = caucus_array(1, (size_t)caucus_creation.state_bytes(&meeting.setup));
    meeting.numbers = caucus_array(call->members, sizeof *meeting.numbers);
    int status = meeting.state && meeting.numbers ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_post_begin(meeting.post, call->topic, call->members, call->ranks,
                                   meeting.numbers);
    if (!status) {
        caucus_creation.begin(&meeting.setup, call->me, meeting.state);
        status = run_and_tell(&meeting, also);
    }
    *outcome = meeting.outcome;
    caucus_actions_free(&meeting.actions);
    free(meeting.state);
    free(meeting.numbers);
    return status;
}
