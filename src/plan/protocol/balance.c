/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/balance.h"

#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"

#include <stdio.h>
#include <string.h>

enum kind { KIND_ASK, KIND_SAME, KIND_IDLE, KIND_GROWN, KIND_IN, KIND_DONE, KIND_OVER, KINDS };

struct message {
    int32_t kind, first, count, source, work, unused;
    int64_t number;
};
_Static_assert(sizeof(struct message) == CAUCUS_BALANCE_MESSAGE_BYTES, "no gaps");

/* Flags are bytes, so that there are no gaps. */
struct state {
    int32_t me;
    int32_t first, count, source, work; /* the group that was told of last */
    int32_t same;                       /* polls that were told of before the user polled */
    int32_t entered;                    /* IN, of those below in the tree */
    int32_t done_below;                 /* DONE, of those below in the tree of works */
    int64_t number;                     /* of the group */
    int64_t own_number;                 /* to be given to a group that begins here */
    int64_t asked_number;
    int32_t asked_from; /* what is left of here is done, from there on; -1: nothing */
    int32_t left;       /* first rank of the group that asked */
    uint8_t called, busy, complete, idle, grown, over, reported, own_done;
};

static int64_t state_bytes(const void *setup) {
    (void)setup;
    return (int64_t)sizeof(struct state);
}

static void begin(const void *given, int32_t me, void *state) {
    const struct caucus_balance_setup *setup = given;
    struct state *own = state;
    own->me = me;
    own->work = me / setup->group_size;
    own->first = own->source = own->work * setup->group_size;
    int32_t left = setup->ranks - own->first;
    own->count = left < setup->group_size ? left : setup->group_size;
    own->number = own->own_number = own->asked_number = -1;
    own->asked_from = own->left = -1;
    own->complete = 1;
}

static int32_t wrapped(const struct caucus_balance_setup *setup, int64_t rank) {
    return (int32_t)(rank % setup->ranks);
}

static int32_t right_of(const struct caucus_balance_setup *setup, const struct state *own) {
    return wrapped(setup, (int64_t)own->first + own->count);
}

static int32_t position_of(const struct caucus_balance_setup *setup, const struct state *own) {
    return wrapped(setup, (int64_t)own->me - own->first + setup->ranks);
}

static bool speaks(const struct state *own) {
    return own->me == own->first;
}

static void send(int32_t rank, struct message message, struct caucus_actions *actions) {
    caucus_act_send(actions, rank, &message, sizeof message);
}

static void send_down(const struct caucus_balance_setup *setup, const struct state *own,
                      struct message message, struct caucus_actions *actions) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int32_t count = caucus_position_children(own->count, position_of(setup, own), children);
    for (int32_t i = 0; i < count; i++)
        send(wrapped(setup, (int64_t)own->first + children[i]), message, actions);
}

static int32_t works_of(const struct caucus_balance_setup *setup) {
    return (setup->ranks - 1) / setup->group_size + 1;
}

static void decide(struct state *own, enum caucus_balance_news news,
                   struct caucus_actions *actions) {
    struct caucus_balance_group group = caucus_balance_current(own);
    own->called = 0;
    caucus_act_decide(actions, news, &group, sizeof group);
}

/* This rank's user knows, and all below it do. */
static void enter(const struct caucus_balance_setup *setup, struct state *own,
                  struct caucus_actions *actions) {
    int32_t children[CAUCUS_POSITION_CHILDREN], position = position_of(setup, own);
    if (own->complete || own->grown ||
        own->entered < caucus_position_children(own->count, position, children))
        return;
    own->complete = 1;
    own->entered = 0;
    if (!speaks(own))
        send(wrapped(setup, (int64_t)own->first + caucus_position_parent(position)),
             (struct message){.kind = KIND_IN}, actions);
}

/* What the user is told next, if it is known. */
static void tell(const struct caucus_balance_setup *setup, struct state *own,
                 struct caucus_actions *actions) {
    if (!own->called)
        return;
    if (own->same > 0) {
        own->same--;
        decide(own, CAUCUS_BALANCE_NEWS_SAME, actions);
    } else if (own->grown) {
        own->grown = own->idle = 0;
        decide(own, CAUCUS_BALANCE_NEWS_GROWN, actions);
        enter(setup, own, actions);
    } else if (own->over && own->idle) { /* what its group was told before may come later */
        decide(own, CAUCUS_BALANCE_NEWS_OVER, actions);
    }
}

static void say_over(const struct caucus_balance_setup *setup, struct state *own,
                     struct caucus_actions *actions) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int32_t count = caucus_position_children(setup->ranks, own->me, children);
    if (own->over)
        return;
    own->over = 1;
    for (int32_t i = 0; i < count; i++)
        send(children[i], (struct message){.kind = KIND_OVER}, actions);
    tell(setup, own, actions);
}

/* Once all works of this rank's part of their tree are done. */
static void count_done(const struct caucus_balance_setup *setup, struct state *own,
                       struct caucus_actions *actions) {
    int32_t children[CAUCUS_POSITION_CHILDREN], work = own->me / setup->group_size;
    if (own->reported || !own->own_done ||
        own->done_below < caucus_position_children(works_of(setup), work, children))
        return;
    own->reported = 1;
    if (work == 0)
        say_over(setup, own, actions);
    else
        send(caucus_position_parent(work) * setup->group_size, (struct message){.kind = KIND_DONE},
             actions);
}

static void note_done(const struct caucus_balance_setup *setup, struct state *own, int32_t work,
                      struct caucus_actions *actions) {
    if (work * setup->group_size != own->me)
        return;
    own->own_done = 1;
    count_done(setup, own, actions);
}

/* Who is done asks for itself and all on its left that are. Nobody is left to be asked where that
 * is the whole ring; and who has no number for a new group waits until its left asks, or for the
 * end. */
static void ask(const struct caucus_balance_setup *setup, const struct state *own,
                struct caucus_actions *actions) {
    bool others = own->asked_from >= 0;
    int32_t from = others ? own->asked_from : own->first;
    int64_t number = others ? own->asked_number : own->own_number;
    if (number >= 0 && own->count < setup->ranks && from != right_of(setup, own))
        send(right_of(setup, own),
             (struct message){.kind = KIND_ASK, .first = from, .number = number}, actions);
}

/* The message goes the old group's way; what is left of it hears it from its first rank. */
static void grow(const struct caucus_balance_setup *setup, struct state *own,
                 struct message message, struct caucus_actions *actions) {
    send_down(setup, own, message, actions);
    if (speaks(own) && own->first != message.first) {
        send(own->left, message, actions);
        own->asked_from = own->left = -1;
        own->asked_number = -1;
    }
    own->first = message.first;
    own->count = message.count;
    own->source = message.source;
    own->work = message.work;
    own->number = message.number;
    own->complete = 0;
    own->grown = 1;
    tell(setup, own, actions);
}

/* The first rank's poll, once all that were taken in are there. */
static void speak(const struct caucus_balance_setup *setup, struct state *own,
                  struct caucus_actions *actions) {
    if (!own->called || !own->complete || own->idle || own->over)
        return;
    if (!own->busy) {
        struct message idle = {.kind = KIND_IDLE, .work = own->work};
        own->idle = 1;
        send_down(setup, own, idle, actions);
        ask(setup, own, actions);
        note_done(setup, own, own->work, actions);
    } else if (own->asked_from < 0) {
        send_down(setup, own, (struct message){.kind = KIND_SAME}, actions);
        decide(own, CAUCUS_BALANCE_NEWS_SAME, actions);
    } else {
        int32_t more = wrapped(setup, (int64_t)own->first - own->asked_from + setup->ranks);
        grow(setup, own,
             (struct message){.kind = KIND_GROWN,
                              .first = own->asked_from,
                              .count = own->count + more,
                              .source = own->me,
                              .work = own->work,
                              .number = own->asked_number},
             actions);
    }
}

static void on_call(const struct caucus_balance_setup *setup, struct state *own,
                    const struct caucus_event *event, struct caucus_actions *actions) {
    own->called = 1;
    own->busy = event->number != 0;
    if (event->length == sizeof own->own_number)
        memcpy(&own->own_number, event->bytes, sizeof own->own_number);
    tell(setup, own, actions); /* what came before, or that all is over */
    if (speaks(own))
        speak(setup, own, actions);
}

static void on_ask(const struct caucus_balance_setup *setup, struct state *own, int32_t peer,
                   const struct message *message, struct caucus_actions *actions) {
    if (!speaks(own))
        return;
    own->asked_from = message->first;
    own->asked_number = message->number;
    own->left = peer;
    if (own->idle)
        ask(setup, own, actions);
}

static void on_down(const struct caucus_balance_setup *setup, struct state *own,
                    const struct message *message, struct caucus_actions *actions) {
    if (message->kind == KIND_GROWN) {
        grow(setup, own, *message, actions);
        return;
    }
    send_down(setup, own, *message, actions);
    if (message->kind == KIND_IDLE) {
        own->idle = 1;
        note_done(setup, own, message->work, actions);
    } else {
        own->same++;
    }
    tell(setup, own, actions);
}

static void on_message(const struct caucus_balance_setup *setup, struct state *own, int32_t peer,
                       const struct message *message, struct caucus_actions *actions) {
    switch (message->kind) {
    case KIND_ASK:
        on_ask(setup, own, peer, message, actions);
        break;
    case KIND_SAME:
    case KIND_IDLE:
    case KIND_GROWN:
        on_down(setup, own, message, actions);
        break;
    case KIND_IN:
        own->entered++;
        enter(setup, own, actions);
        if (speaks(own))
            speak(setup, own, actions);
        break;
    case KIND_DONE:
        own->done_below++;
        count_done(setup, own, actions);
        break;
    case KIND_OVER:
        say_over(setup, own, actions);
        break;
    default:
        break;
    }
}

/* A group is a stretch of the ring, with this rank in it; it grows to the left only, to where those
 * have asked for it. Who asks has nothing of this group. */
static bool makes_sense(const struct caucus_balance_setup *setup, const struct state *own,
                        const struct message *message) {
    int32_t ranks = setup->ranks;
    if (message->kind < 0 || message->kind >= KINDS || message->first < 0 ||
        message->first >= ranks || message->source < 0 || message->source >= ranks ||
        message->work < 0 || message->work >= works_of(setup))
        return false;
    int32_t before = wrapped(setup, (int64_t)own->first - message->first + ranks);
    if (message->kind == KIND_ASK)
        return message->number >= 0 && before <= ranks - own->count;
    if (message->kind != KIND_GROWN)
        return true;
    bool stays_first = speaks(own) && before == 0;
    int32_t asked = own->asked_from < 0 || !stays_first
                        ? 0
                        : wrapped(setup, (int64_t)own->first - own->asked_from + ranks);
    return message->count > own->count && message->count <= ranks - asked &&
           before <= message->count - own->count && (!speaks(own) || stays_first || own->left >= 0);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    struct message message;
    if (event->kind == CAUCUS_EVENT_CALL) {
        on_call(setup, state, event, actions);
    } else if (event->kind == CAUCUS_EVENT_MESSAGE && event->length == sizeof message) {
        memcpy(&message, event->bytes, sizeof message);
        if (makes_sense(setup, state, &message))
            on_message(setup, state, event->peer, &message, actions);
    }
}

static bool hears(const void *setup, const void *state, const struct caucus_event *event) {
    const struct state *own = state;
    (void)setup;
    return event->kind != CAUCUS_EVENT_CALL || !own->called;
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const words[KINDS] = {"ask", "same", "idle", "grown", "in", "done", "over"};
    struct message message = {.kind = -1};
    if (length == sizeof message)
        memcpy(&message, bytes, sizeof message);
    snprintf(text, (size_t)size, "%s from %d, %d ranks",
             message.kind >= 0 && message.kind < KINDS ? words[message.kind] : "?", message.first,
             message.count);
}

struct caucus_balance_group caucus_balance_current(const void *state) {
    const struct state *own = state;
    return (struct caucus_balance_group){own->first, own->count, own->source, own->work,
                                         own->number};
}

bool caucus_balance_may_ask(const struct caucus_balance_setup *setup, const void *state) {
    const struct state *own = state;
    return speaks(own) && own->count < setup->ranks && !own->over;
}

bool caucus_balance_is_ask(const void *bytes) {
    struct message message;
    memcpy(&message, bytes, sizeof message);
    return message.kind == KIND_ASK;
}

void caucus_balance_explain(const struct caucus_balance_setup *setup, const void *state, char *text,
                            int64_t size) {
    const struct state *own = state;
    struct caucus_sentences words = caucus_sentences_in(text, size);
    int32_t children[CAUCUS_POSITION_CHILDREN], position = position_of(setup, own);
    if (!speaks(own)) {
        caucus_sentences_has(&words,
                             wrapped(setup, (int64_t)own->first + caucus_position_parent(position)),
                             "not polled, nor those it waits for (message SAME, IDLE or GROWN)");
    } else if (own->complete) {
        caucus_sentences_has(&words, right_of(setup, own),
                             "not polled, nor those it waits for (message GROWN or OVER)");
    } else {
        int32_t count = caucus_position_children(own->count, position, children);
        for (int32_t i = 0; i < count; i++)
            caucus_sentences_name(&words, wrapped(setup, (int64_t)own->first + children[i]));
        caucus_sentences_have(&words, "not polled since the group has grown, or somebody below it "
                                      "in the tree (message IN)");
    }
}

const struct caucus_protocol caucus_balance_protocol = {
    "balance", state_bytes, begin, step, hears, describe,
};
