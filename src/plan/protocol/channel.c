/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel's events. */
#include "plan/protocol/channel_state.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct caucus_channel_member caucus_channel_member_of(const struct caucus_channel_setup *setup,
                                                      const void *state,
                                                      struct caucus_actions *actions) {
    struct caucus_channel_member member = {
        .setup = setup, .state = (void *)(uintptr_t)state, .actions = actions};
    member.in = (struct caucus_channel_in *)(member.state + 1);
    member.out = (struct caucus_channel_out *)(member.in + setup->sources + 1);
    member.slot = (struct caucus_channel_slot *)(member.out + setup->targets);
    member.untaken = (int64_t *)(member.slot + caucus_channel_slots(setup));
    member.below = member.untaken + caucus_channel_slots(setup);
    member.wanted = member.below + (setup->total_order ? setup->targets : 0);
    member.question =
        (struct caucus_channel_question *)(member.wanted +
                                           (setup->total_order ? setup->overlay.ranks : 0));
    return member;
}

static int64_t state_bytes(const void *given) {
    const struct caucus_channel_setup *setup = given;
    size_t in = (size_t)setup->sources + 1, out = (size_t)setup->targets;
    size_t of_tickets = setup->total_order ? out + (size_t)setup->overlay.ranks : 0;
    return (int64_t)(sizeof(struct caucus_channel_state) + in * sizeof(struct caucus_channel_in) +
                     out * sizeof(struct caucus_channel_out) +
                     (size_t)caucus_channel_slots(setup) *
                         (sizeof(struct caucus_channel_slot) + sizeof(int64_t)) +
                     of_tickets * sizeof(int64_t) +
                     ((size_t)setup->overlay.ranks * sizeof(struct caucus_channel_question) + 7) /
                         8 * 8);
}

/* Links that do not fit, or for lack of memory none: then nothing is ever heard or sent. */
static void find_links(struct caucus_channel_member *member, int32_t me) {
    const struct caucus_channel_setup *setup = member->setup;
    struct caucus_channel_state *state = member->state;
    int32_t *list, count;
    int status = caucus_overlay_sources(&setup->overlay, me, &count, &list);
    bool fits = !status && count <= setup->sources;
    for (int32_t i = 0; fits && i < count; i++)
        member->in[state->sources++].rank = list[i];
    free(list);
    member->in[state->sources].rank = me;
    status = caucus_overlay_targets(&setup->overlay, me, &count, &list);
    state->unlinked = !fits || status || count > setup->targets;
    for (int32_t i = 0; !state->unlinked && i < count; i++)
        member->out[state->targets++].rank = list[i];
    free(list);
}

static void begin(const void *given, int32_t me, void *state) {
    const struct caucus_channel_setup *setup = given;
    struct caucus_channel_member member = caucus_channel_member_of(setup, state, NULL);
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    member.state->me = me;
    find_links(&member, me);
    member.state->parent = me ? caucus_overlay_parent(&setup->overlay, me, 0) : 0;
    member.state->children = caucus_channel_below(setup, member.state, to);
}

void caucus_channel_send(struct caucus_channel_member *member, int64_t peer, int32_t kind,
                         const int64_t number[4]) {
    struct caucus_channel_message message = {.kind = kind};
    memcpy(message.number, number, sizeof message.number);
    caucus_act_send(member->actions, (int32_t)peer, &message, sizeof message);
}

static bool hears(const void *setup, const void *state, const struct caucus_event *event) {
    struct caucus_channel_member member = caucus_channel_member_of(setup, state, NULL);
    const struct caucus_channel_state *own = member.state;
    int64_t origin;
    if (event->kind != CAUCUS_EVENT_CALL)
        return true;
    switch (event->number) {
    case CAUCUS_CHANNEL_CAST:
        return !own->resting && !own->total && caucus_channel_has_room(&member);
    case CAUCUS_CHANNEL_ASK:
    case CAUCUS_CHANNEL_FLUSH:
        return !own->resting && !own->total && !own->asking && caucus_channel_has_room(&member);
    case CAUCUS_CHANNEL_TAKE:
    case CAUCUS_CHANNEL_WAKE:
        return caucus_channel_next(&member) != NULL;
    case CAUCUS_CHANNEL_ANSWER:
        if (event->length < (int64_t)sizeof origin)
            return false;
        memcpy(&origin, event->bytes, sizeof origin);
        return origin >= 0 && origin < member.setup->overlay.ranks && member.question[origin].due;
    default:
        return !own->closing && !own->resting && !own->asking;
    }
}

static void wake(struct caucus_channel_member *member) {
    if (!member->state->closing)
        member->state->resting = 0;
}

static void take(struct caucus_channel_member *member) {
    struct caucus_channel_message message = caucus_channel_next(member)->message;
    caucus_act_deliver(member->actions, message.origin, &message, sizeof message);
    caucus_channel_pass(member);
    if (caucus_channel_is_last(member->setup, &message)) {
        member->state->taken++;
        caucus_channel_take_question(member, &message);
    }
    wake(member);
}

static void call(struct caucus_channel_member *member, const struct caucus_event *event) {
    int64_t number = 0; /* of bytes, or an origin */
    if (event->length >= (int64_t)sizeof number)
        memcpy(&number, event->bytes, sizeof number);
    switch (event->number) {
    case CAUCUS_CHANNEL_CAST:
        caucus_channel_cast(member, CAUCUS_CHANNEL_DATA, number);
        break;
    case CAUCUS_CHANNEL_ASK:
        member->state->asking = 1;
        caucus_channel_cast(member, CAUCUS_CHANNEL_QUESTION, number);
        break;
    case CAUCUS_CHANNEL_FLUSH:
        member->state->asking = 1;
        caucus_channel_cast(member, CAUCUS_CHANNEL_FLUSHING, 0);
        break;
    case CAUCUS_CHANNEL_ANSWER:
        caucus_channel_answer(member, number);
        break;
    case CAUCUS_CHANNEL_TAKE:
        take(member);
        break;
    case CAUCUS_CHANNEL_WAKE:
        wake(member);
        break;
    case CAUCUS_CHANNEL_CLOSE:
        member->state->closing = 1;
        member->state->resting = 1;
        break;
    default:
        member->state->resting = 1;
    }
}

static bool is_in_window(const struct caucus_channel_member *member,
                         const struct caucus_channel_message *message) {
    return message->ticket >= member->state->passed &&
           message->ticket < member->state->passed + member->setup->window &&
           !caucus_channel_place(member, message->ticket)->message.kind;
}

static bool makes_sense(const struct caucus_channel_member *member, int32_t peer,
                        const struct caucus_channel_message *message) {
    const struct caucus_overlay *overlay = &member->setup->overlay;
    int32_t me = (int32_t)member->state->me;
    return message->origin >= 0 && message->origin < overlay->ranks && message->origin != me &&
           message->ticket >= CAUCUS_CHANNEL_NO_TICKET && message->total >= 0 &&
           message->offset >= 0 && message->offset <= message->total &&
           (!caucus_channel_keeps(member->setup, message) || is_in_window(member, message)) &&
           caucus_overlay_parent(overlay, me, message->origin) == peer;
}

static void arrive(struct caucus_channel_member *member, int32_t peer,
                   const struct caucus_channel_message *message) {
    for (int64_t link = 0; link < member->state->sources; link++) {
        struct caucus_channel_in *in = &member->in[link];
        if (in->rank == peer && in->arrived - in->returned < member->setup->credits &&
            makes_sense(member, peer, message))
            caucus_channel_fill(member, link, message);
    }
}

static bool credit(struct caucus_channel_member *member, int32_t peer, int64_t freed) {
    bool any = false;
    for (int64_t i = 0; i < member->state->targets; i++) {
        struct caucus_channel_out *out = &member->out[i];
        if (out->rank == peer && freed > out->freed && freed <= out->sent) {
            out->freed = freed;
            any = true;
        }
    }
    return any;
}

/* Adds a child's sums; its first report is that of all who are below it. */
static void reported(struct caucus_channel_member *member, int32_t peer,
                     const struct caucus_channel_message *message) {
    struct caucus_channel_state *state = member->state;
    if (message->sums.resting > 0)
        state->reported |= caucus_channel_child(member->setup, state, peer);
    caucus_channel_add(&state->sums, &message->sums);
}

/* Whether links have got credits. */
static bool receive(struct caucus_channel_member *member, const struct caucus_event *event) {
    struct caucus_channel_message message;
    int64_t count;
    if (event->length < (int64_t)sizeof message)
        return false;
    memcpy(&message, event->bytes, sizeof message);
    bool to_first = member->state->me == 0,
         from_parent = !to_first && event->peer == member->state->parent;
    switch (message.kind) {
    case CAUCUS_CHANNEL_DATA:
    case CAUCUS_CHANNEL_QUESTION:
    case CAUCUS_CHANNEL_FLUSHING:
        arrive(member, event->peer, &message);
        break;
    case CAUCUS_CHANNEL_CREDIT:
        return credit(member, event->peer, message.number[0]);
    case CAUCUS_CHANNEL_REQUEST:
        count = message.number[0];
        if (to_first && count > 0 && count <= member->setup->credits)
            caucus_channel_want(member, event->peer, count);
        break;
    case CAUCUS_CHANNEL_GRANT:
        if (!to_first && event->peer == 0 && message.number[0] >= 0)
            caucus_channel_grant(member, message.number[0], message.number[1]);
        break;
    case CAUCUS_CHANNEL_REPORT:
        reported(member, event->peer, &message);
        break;
    case CAUCUS_CHANNEL_CONFIRM:
        if (from_parent)
            caucus_channel_confirm(member);
        break;
    case CAUCUS_CHANNEL_CONFIRMED:
        member->state->confirmed |= caucus_channel_child(member->setup, member->state, event->peer);
        break;
    case CAUCUS_CHANNEL_DECISION:
        if (from_parent)
            caucus_channel_decide(member, message.number[0]);
        break;
    case CAUCUS_CHANNEL_ANSWERED:
        caucus_channel_answered(member, event->peer, message.number[0]);
        break;
    case CAUCUS_CHANNEL_PASSED:
        caucus_channel_passed(member, event->peer, message.number[0]);
        break;
    default:
        break;
    }
    return false;
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    struct caucus_channel_member member = caucus_channel_member_of(setup, state, actions);
    bool credited = false;
    if (event->kind == CAUCUS_EVENT_CALL && hears(setup, state, event))
        call(&member, event);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        credited = receive(&member, event);
    caucus_channel_flow(&member, credited);
    caucus_channel_settle(&member);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"?",        "data",     "credit",    "request",  "grant",
                                        "report",   "confirm",  "confirmed", "decision", "question",
                                        "flushing", "answered", "passed"};
    struct caucus_channel_message message;
    if (length != (int64_t)sizeof message)
        return;
    memcpy(&message, bytes, sizeof message);
    bool known = message.kind > 0 && message.kind <= CAUCUS_CHANNEL_PASSED;
    int used =
        snprintf(text, (size_t)size, "%s %lld %lld %lld %lld", names[known ? message.kind : 0],
                 (long long)message.number[0], (long long)message.number[1],
                 (long long)message.number[2], (long long)message.number[3]);
    if (caucus_channel_is_data(message.kind) && used < size)
        snprintf(text + used, (size_t)(size - used), " of %d", (int)message.origin);
}

bool caucus_channel_peek(const void *setup, const void *state,
                         struct caucus_channel_message *message) {
    struct caucus_channel_member member = caucus_channel_member_of(setup, state, NULL);
    const struct caucus_channel_slot *slot = caucus_channel_next(&member);
    if (slot)
        *message = slot->message;
    return slot != NULL;
}

bool caucus_channel_has_links(const void *setup, const void *state) {
    const struct caucus_channel_state *own = state;
    (void)setup;
    return !own->unlinked;
}

static bool rests(const void *setup, const void *state) {
    const struct caucus_channel_state *own = state;
    (void)setup;
    return own->resting != 0;
}

int64_t caucus_channel_piece(const struct caucus_channel_setup *setup,
                             const struct caucus_channel_message *message) {
    int64_t left = message->total - message->offset;
    return left < setup->segment ? left : setup->segment;
}

const struct caucus_protocol caucus_channel_protocol = {.name = "channel",
                                                        .state_bytes = state_bytes,
                                                        .begin = begin,
                                                        .step = step,
                                                        .hears = hears,
                                                        .describe = describe};

const struct caucus_channel_variant caucus_channel_plain = {.protocol = &caucus_channel_protocol,
                                                            .has_links = caucus_channel_has_links,
                                                            .peek = caucus_channel_peek,
                                                            .rests = rests,
                                                            .explain = caucus_channel_explain};
