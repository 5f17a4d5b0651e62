/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a member that survives: what concerns this view's channel is passed on to it. */
#include "plan/protocol/survival.h"

#include "plan/protocol/survival_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct caucus_survival_member caucus_survival_member_of(const struct caucus_survival_setup *setup,
                                                        const void *state,
                                                        struct caucus_actions *actions) {
    int32_t ranks = setup->channel.overlay.ranks;
    int64_t words = caucus_set_words(ranks), kept = (int64_t)ranks * setup->window;
    struct caucus_survival_member member = {
        .setup = setup, .ranks = ranks, .state = (void *)(uintptr_t)state, .actions = actions};
    member.taken = (int64_t *)(member.state + 1);
    member.told = member.taken + ranks;
    member.others = member.told + ranks;
    member.quiets = member.others + (int64_t)ranks * ranks;
    member.turn = member.quiets + ranks;
    member.total = member.turn + kept;
    member.gone = (uint64_t *)(member.total + kept);
    member.dead = member.gone + words;
    member.heard = member.dead + words;
    member.byes = member.heard + words;
    member.scratch = member.byes + words;
    member.early = (struct caucus_survival_early *)(member.scratch + words);
    member.channel = member.early + caucus_survival_early_room(setup);
    return member;
}

static int64_t state_bytes(const void *given) {
    const struct caucus_survival_setup *setup = given;
    int64_t ranks = setup->channel.overlay.ranks;
    return (int64_t)sizeof(struct caucus_survival_state) +
           (ranks * (3 + ranks + 2 * (int64_t)setup->window) +
            5 * caucus_set_words((int32_t)ranks)) *
               (int64_t)sizeof(int64_t) +
           caucus_survival_early_room(setup) * (int64_t)sizeof(struct caucus_survival_early) +
           caucus_channel_protocol.state_bytes(&setup->channel);
}

static void begin(const void *given, int32_t me, void *state) {
    const struct caucus_survival_setup *setup = given;
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    member.state->me = me;
    member.state->caught = 1;
    caucus_channel_protocol.begin(&setup->channel, me, member.channel);
}

/* Number `turn` of what this member has taken, or begun to use. */
static void took(struct caucus_survival_member *member, int64_t rank, int64_t total, int64_t turn) {
    int64_t place = caucus_survival_place(member, rank, member->taken[rank]++);
    member->turn[place] = turn;
    member->total[place] = total;
}

/* It comes before the casts that answer its first parts. */
static void begin_turn(struct caucus_survival_state *state) {
    if (!state->begun)
        state->begun = ++state->turns;
}

static void took_next(struct caucus_survival_member *member, int64_t rank, int64_t total) {
    begin_turn(member->state);
    took(member, rank, total, member->state->begun);
    member->state->begun = 0;
}

/* What of a view's channel is to be said to ranks, and in their numbers. */
static void translate(struct caucus_survival_member *member, int64_t first) {
    struct caucus_actions *actions = member->actions;
    struct caucus_survival_state *state = member->state;
    int64_t kept = first;
    bool closes = false;
    for (int64_t i = first; i < actions->count; i++) {
        struct caucus_action *action = &actions->action[i];
        struct caucus_channel_message message;
        if (action->kind == CAUCUS_ACTION_DECIDE) {
            if (action->number == CAUCUS_CHANNEL_ASK) {
                state->flushed = state->flushing - 1;
                state->flushing = 0;
                continue;
            }
            state->wants = 0;
            state->quieting = 0;
            state->quiets += action->number == CAUCUS_CHANNEL_QUIESCE;
            if (action->number == CAUCUS_CHANNEL_CLOSE) {
                closes = true;
                continue;
            }
        } else {
            memcpy(&message, actions->bytes + action->offset, sizeof message);
            action->peer = caucus_survival_rank_of(member, action->peer);
            if (action->kind == CAUCUS_ACTION_SEND) {
                message.kind |= (int32_t)(state->view << CAUCUS_SURVIVAL_VIEW_SHIFT);
            } else {
                message.origin = action->peer;
                message.sequence = member->taken[message.origin];
                if (caucus_channel_is_last(&member->setup->channel, &message))
                    took_next(member, message.origin, message.total);
            }
            memcpy(actions->bytes + action->offset, &message, sizeof message);
        }
        actions->action[kept++] = actions->action[i];
    }
    actions->count = kept;
    if (closes)
        caucus_survival_close(member);
}

void caucus_survival_pass(struct caucus_survival_member *member, const struct caucus_event *event) {
    struct caucus_channel_setup inner = caucus_survival_inner(member);
    int64_t first = member->actions->count;
    caucus_channel_protocol.step(&inner, member->channel, event, member->actions);
    if (!member->actions->status)
        translate(member, first);
}

void caucus_survival_call(struct caucus_survival_member *member, int64_t number,
                          const int64_t *bytes) {
    const struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                       .number = number,
                                       .bytes = bytes,
                                       .length = bytes ? (int64_t)sizeof *bytes : 0};
    caucus_survival_pass(member, &event);
}

bool caucus_survival_inner_hears(const struct caucus_survival_member *member, int64_t number) {
    const struct caucus_event event = {.kind = CAUCUS_EVENT_CALL, .number = number};
    struct caucus_channel_setup inner = caucus_survival_inner(member);
    return caucus_channel_protocol.hears(&inner, member->channel, &event);
}

/* Whether this view's channel may be called by the user. */
static bool runs(const struct caucus_survival_state *state) {
    return !state->agreeing && state->caught && state->recast == state->casts && !state->closed;
}

static bool has_room(const struct caucus_survival_member *member, int64_t length) {
    const struct caucus_survival_state *state = member->state;
    int64_t most = member->setup->bytes;
    return state->casts - state->stable < member->setup->window &&
           length <= caucus_channel_longest_whole(&member->setup->channel) &&
           (!most || state->casts == state->stable || state->open_bytes + length <= most);
}

static bool hears(const void *setup, const void *given, const struct caucus_event *event) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, given, NULL);
    const struct caucus_survival_state *state = member.state;
    int64_t length = 0;
    if (event->kind != CAUCUS_EVENT_CALL)
        return true;
    switch (event->number) {
    case CAUCUS_CHANNEL_CAST:
        if (event->length >= (int64_t)sizeof length)
            memcpy(&length, event->bytes, sizeof length);
        return runs(state) && !state->wants && has_room(&member, length) &&
               caucus_survival_inner_hears(&member, CAUCUS_CHANNEL_CAST);
    case CAUCUS_CHANNEL_FLUSH:
        return !state->closed && !state->wants && !state->flush;
    case CAUCUS_CHANNEL_TAKE:
    case CAUCUS_CHANNEL_WAKE:
        return !state->agreeing &&
               (state->caught ? caucus_survival_inner_hears(&member, event->number)
                              : state->given.kind != 0);
    case CAUCUS_CHANNEL_QUIESCE:
    case CAUCUS_CHANNEL_CLOSE:
        return runs(state) && !state->wants && !state->flush &&
               caucus_survival_inner_hears(&member, event->number);
    default:
        return false;
    }
}

static void cast(struct caucus_survival_member *member, int64_t total) {
    struct caucus_survival_state *state = member->state;
    int64_t place = caucus_survival_place(member, state->me, state->casts++);
    member->total[place] = total;
    state->open_bytes += total;
    state->recast = state->casts;
    if (!member->setup->channel.total_order)
        took(member, state->me, total, ++state->turns);
    caucus_survival_call(member, CAUCUS_CHANNEL_CAST, &total);
}

static void wake(struct caucus_survival_state *state) {
    if (state->wants == CAUCUS_CHANNEL_QUIESCE)
        state->wants = 0;
}

static void take(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    wake(state);
    if (!state->caught) {
        struct caucus_channel_message message = state->given;
        memset(&state->given, 0, sizeof state->given);
        caucus_act_deliver(member->actions, message.origin, &message, sizeof message);
        took_next(member, message.origin, message.total);
        return;
    }
    caucus_survival_call(member, CAUCUS_CHANNEL_TAKE, NULL);
}

static void call(struct caucus_survival_member *member, const struct caucus_event *event) {
    int64_t length = 0;
    switch (event->number) {
    case CAUCUS_CHANNEL_CAST:
        if (event->length >= (int64_t)sizeof length)
            memcpy(&length, event->bytes, sizeof length);
        cast(member, length);
        break;
    case CAUCUS_CHANNEL_TAKE:
        take(member);
        break;
    case CAUCUS_CHANNEL_WAKE:
        wake(member->state);
        begin_turn(member->state);
        if (member->state->caught)
            caucus_survival_call(member, CAUCUS_CHANNEL_WAKE, NULL);
        break;
    case CAUCUS_CHANNEL_FLUSH:
        member->state->flush = member->state->casts + 1;
        break;
    default:
        member->state->wants = event->number;
        member->state->quieting = event->number == CAUCUS_CHANNEL_QUIESCE;
        caucus_survival_call(member, event->number, NULL);
    }
}

static void check_left(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    if (!state->closed || state->left)
        return;
    for (int32_t rank = 0; rank < member->ranks; rank++)
        if (rank != state->me && !caucus_set_has(member->dead, rank) &&
            !caucus_set_has(member->byes, rank))
            return;
    state->left = 1;
    caucus_act_decide(member->actions, CAUCUS_SURVIVAL_LEFT, NULL, 0);
}

void caucus_survival_close(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    if (state->closed)
        return;
    state->closed = 1;
    state->agreeing = 0;
    state->wants = 0;
    caucus_act_decide(member->actions, CAUCUS_CHANNEL_CLOSE, NULL, 0);
    for (int32_t rank = 0; rank < member->ranks; rank++)
        if (rank != state->me && !caucus_set_has(member->dead, rank))
            caucus_survival_tell(member, rank, CAUCUS_SURVIVAL_BYE, state->view, 0, NULL, NULL);
}

void caucus_survival_hear(struct caucus_survival_member *member, int32_t peer,
                          const struct caucus_channel_message *message) {
    struct caucus_channel_message plain = *message;
    plain.kind = caucus_survival_kind(message);
    const struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                       .peer = caucus_survival_position_of(member, peer),
                                       .bytes = &plain,
                                       .length = sizeof plain};
    caucus_survival_pass(member, &event);
}

static void receive(struct caucus_survival_member *member, const struct caucus_event *event) {
    struct caucus_survival_state *state = member->state;
    struct caucus_channel_message message;
    if (event->length < (int64_t)sizeof message || event->peer < 0 ||
        event->peer >= member->ranks || caucus_set_has(member->dead, event->peer))
        return;
    memcpy(&message, event->bytes, sizeof message);
    int64_t view = caucus_survival_view_of(&message);
    switch (caucus_survival_kind(&message)) {
    case CAUCUS_SURVIVAL_STATE:
        caucus_survival_hear_state(member, event->peer, event);
        break;
    case CAUCUS_SURVIVAL_WANT:
        caucus_survival_give(member, event->peer, event);
        break;
    case CAUCUS_SURVIVAL_GIVE:
        caucus_survival_get(member, event->peer, &message);
        break;
    case CAUCUS_SURVIVAL_BYE:
        caucus_set_add(member->byes, event->peer);
        caucus_survival_close(member);
        break;
    default:
        if (view < caucus_survival_next_view(member) || state->closed)
            return; /* nothing will come of that view */
        if (view > state->view || !state->caught)
            caucus_survival_keep_early(member, event->peer, &message);
        else
            caucus_survival_hear(member, event->peer, &message);
    }
}

/* In a total order others may have taken an own cast before its caster. */
static void stabilise(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    int64_t own = member->taken[state->me];
    int64_t end = state->flushed < own ? state->flushed : own;
    for (; state->stable < end; state->stable++)
        state->open_bytes -= member->total[caucus_survival_place(member, state->me, state->stable)];
}

/* What nobody has to ask for: casting again, learning what is stable, resting again. */
static void settle(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    caucus_survival_want(member);
    stabilise(member);
    if (state->agreeing || !state->caught || state->closed)
        return;
    while (state->recast < state->casts &&
           caucus_survival_inner_hears(member, CAUCUS_CHANNEL_CAST)) {
        int64_t total = member->total[caucus_survival_place(member, state->me, state->recast++)];
        caucus_survival_call(member, CAUCUS_CHANNEL_CAST, &total);
    }
    if (!runs(state))
        return;
    int64_t open = state->casts - state->flushed;
    bool wanted = state->flush ? state->flushed < state->flush - 1
                               : 2 * open >= member->setup->window ||
                                     (member->setup->bytes > 0 &&
                                      2 * state->open_bytes >= member->setup->bytes);
    if (wanted && open > 0 && !state->flushing &&
        caucus_survival_inner_hears(member, CAUCUS_CHANNEL_FLUSH)) {
        state->flushing = state->casts + 1;
        caucus_survival_call(member, CAUCUS_CHANNEL_FLUSH, NULL);
        stabilise(member); /* who is alone has the answer at once */
    }
    if (state->flush && state->stable >= state->flush - 1) {
        state->flush = 0;
        caucus_act_decide(member->actions, CAUCUS_CHANNEL_ASK, NULL, 0);
    }
    if (state->wants && caucus_survival_inner_hears(member, state->wants))
        caucus_survival_call(member, state->wants, NULL);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, actions);
    if (event->kind == CAUCUS_EVENT_CALL && hears(setup, state, event)) {
        call(&member, event);
    } else if (event->kind == CAUCUS_EVENT_MESSAGE) {
        receive(&member, event);
    } else if (event->kind == CAUCUS_EVENT_DEATH && event->peer != member.state->me) {
        caucus_set_add(member.scratch, event->peer);
        caucus_survival_learn(&member, member.scratch);
        caucus_set_clear(member.scratch, member.ranks);
    }
    settle(&member);
    check_left(&member);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"state", "want", "give", "bye"};
    struct caucus_channel_message message;
    if (length < (int64_t)sizeof message)
        return;
    memcpy(&message, bytes, sizeof message);
    int64_t view = caucus_survival_view_of(&message);
    message.kind = caucus_survival_kind(&message);
    int used = snprintf(text, (size_t)size, "view %lld: ", (long long)view);
    if (used >= size)
        return;
    if (message.kind < CAUCUS_SURVIVAL_STATE || message.kind > CAUCUS_SURVIVAL_BYE) {
        caucus_channel_protocol.describe(&message, sizeof message, text + used, size - used);
        return;
    }
    used += snprintf(text + used, (size_t)(size - used), "%s",
                     names[message.kind - CAUCUS_SURVIVAL_STATE]);
    if (message.kind == CAUCUS_SURVIVAL_GIVE && used < size)
        snprintf(text + used, (size_t)(size - used), " %lld of %d", (long long)message.sequence,
                 (int)message.origin);
    for (int64_t at = sizeof message; at < length && used < size; at += (int64_t)sizeof(int64_t)) {
        int64_t number;
        memcpy(&number, (const char *)bytes + at, sizeof number);
        used += snprintf(text + used, (size_t)(size - used), " %lld", (long long)number);
    }
}

const struct caucus_protocol caucus_survival = {.name = "channel that survives",
                                                .state_bytes = state_bytes,
                                                .begin = begin,
                                                .step = step,
                                                .hears = hears,
                                                .describe = describe};
