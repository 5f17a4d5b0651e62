/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/creation.h"

#include "plan/protocol/member_set.h"
#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"

#include <stdio.h>
#include <string.h>

enum { TIMER_PATIENCE, TIMER_ABSENT };

struct message {
    int32_t kind;
    int32_t code; /* ERR; its number is the rank to be named */
    uint64_t hash;
    uint64_t number;
};
_Static_assert(sizeof(struct message) == CAUCUS_CREATION_MESSAGE_BYTES, "no gaps");

struct state {
    uint64_t number;
    uint64_t wishes; /* of those below me, and mine */
    uint8_t called, reported, decided, late, unused[4];
    uint64_t heard[]; /* positions that reported */
};

enum caucus_creation_word caucus_creation_word_of(const void *bytes) {
    struct message message;
    memcpy(&message, bytes, sizeof message);
    return (enum caucus_creation_word)message.kind;
}

bool caucus_creation_is_error(const void *bytes) {
    return caucus_creation_word_of(bytes) == CAUCUS_CREATION_ERR;
}

void caucus_creation_refusal(void *bytes, uint64_t hash, int32_t rank) {
    struct message message = {CAUCUS_CREATION_ERR, CAUCUS_CREATION_MISMATCH, hash,
                              (uint64_t)(uint32_t)rank};
    memcpy(bytes, &message, sizeof message);
}

static int64_t state_bytes(const void *setup) {
    const struct caucus_creation_setup *of = setup;
    return (int64_t)sizeof(struct state) + 8 * caucus_set_words(of->members);
}

static void begin(const void *setup, int32_t me, void *state) {
    (void)setup, (void)me, (void)state;
}

static int32_t position_of(const struct caucus_creation_setup *setup, int32_t rank) {
    for (int32_t i = 0; i < setup->members; i++)
        if (setup->ranks[i] == rank)
            return i;
    return -1;
}

static int32_t parent_of(const struct caucus_creation_setup *setup, int32_t position) {
    return setup->flat ? 0 : caucus_position_parent(position);
}

static int32_t children_of(const struct caucus_creation_setup *setup, int32_t position) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    if (setup->flat)
        return position == 0 ? setup->members - 1 : 0;
    return caucus_position_children(setup->members, position, children);
}

/* Of `count` that I have, those with most below them first. */
static int32_t child_at(const struct caucus_creation_setup *setup, int32_t i, int32_t count) {
    return setup->flat ? i + 1 : setup->me + (1 << (count - 1 - i));
}

static void send(const struct caucus_creation_setup *setup, int32_t position,
                 enum caucus_creation_word kind, int32_t code, uint64_t number,
                 struct caucus_actions *actions) {
    struct message message = {(int32_t)kind, code, setup->hash, number};
    caucus_act_send(actions, setup->ranks[position], &message, sizeof message);
}

static bool has_reported(const struct state *own, int32_t position) {
    return caucus_set_has(own->heard, position);
}

static void end_timers(const struct caucus_creation_setup *setup, struct caucus_actions *actions) {
    if (setup->patience > 0)
        caucus_act_timer(actions, TIMER_PATIENCE, -1);
    if (setup->timeout > 0)
        caucus_act_timer(actions, TIMER_ABSENT, -1);
}

static void fail(const struct caucus_creation_setup *setup, struct state *own, int32_t code,
                 int32_t rank, struct caucus_actions *actions) {
    if (own->decided || !own->called)
        return;
    own->decided = 1;
    for (int32_t i = 0; i < setup->members; i++)
        if (i != setup->me)
            send(setup, i, CAUCUS_CREATION_ERR, code, (uint64_t)(uint32_t)rank, actions);
    caucus_act_decide(actions, code, &rank, sizeof rank);
    end_timers(setup, actions);
}

static void succeed(const struct caucus_creation_setup *setup, struct state *own,
                    struct caucus_actions *actions) {
    int32_t count = children_of(setup, setup->me);
    own->decided = 1;
    for (int32_t i = 0; i < count; i++)
        send(setup, child_at(setup, i, count), CAUCUS_CREATION_DOWN, 0, own->number, actions);
    caucus_act_decide(actions, CAUCUS_CREATION_DONE, &own->number, sizeof own->number);
    end_timers(setup, actions);
}

/* The first child that has not reported; -1 if there is none. */
static int32_t awaited_child(const struct caucus_creation_setup *setup, const struct state *own) {
    int32_t count = children_of(setup, setup->me);
    for (int32_t i = 0; i < count; i++)
        if (!has_reported(own, child_at(setup, i, count)))
            return child_at(setup, i, count);
    return -1;
}

/* Whom I wait for, if I wait. */
static int32_t awaited(const struct caucus_creation_setup *setup, const struct state *own) {
    int32_t child = setup->checked ? awaited_child(setup, own) : -1;
    return child >= 0 ? child : parent_of(setup, setup->me);
}

static void advance(const struct caucus_creation_setup *setup, struct state *own,
                    struct caucus_actions *actions) {
    if (!own->called || own->decided || (setup->checked && awaited_child(setup, own) >= 0))
        return;
    if (setup->me == 0) {
        own->number |= own->wishes;
        succeed(setup, own, actions);
    } else if (setup->checked && !own->reported) {
        own->reported = 1;
        send(setup, parent_of(setup, setup->me), CAUCUS_CREATION_UP, 0, own->wishes, actions);
    }
}

static void on_call(const struct caucus_creation_setup *setup, struct state *own,
                    const struct caucus_event *event, struct caucus_actions *actions) {
    if (own->called)
        return;
    own->called = 1;
    own->wishes |= setup->wishes;
    if (event->number == CAUCUS_CREATION_OBJECT)
        fail(setup, own, CAUCUS_CREATION_MISMATCH, setup->ranks[setup->me], actions);
    if (event->length == (int64_t)sizeof own->number)
        memcpy(&own->number, event->bytes, sizeof own->number);
    advance(setup, own, actions);
    if (!own->decided && setup->patience > 0)
        caucus_act_timer(actions, TIMER_PATIENCE, setup->patience);
    if (!own->decided && setup->timeout > 0)
        caucus_act_timer(actions, TIMER_ABSENT, setup->timeout);
}

static void on_message(const struct caucus_creation_setup *setup, struct state *own,
                       const struct caucus_event *event, struct caucus_actions *actions) {
    struct message message;
    int32_t position = position_of(setup, event->peer);
    if (own->decided || position < 0 || event->length != (int64_t)sizeof message)
        return;
    memcpy(&message, event->bytes, sizeof message);
    bool is_child = position > setup->me && parent_of(setup, position) == setup->me;
    if (message.hash != setup->hash) {
        fail(setup, own, CAUCUS_CREATION_MISMATCH, event->peer, actions);
    } else if (message.kind == CAUCUS_CREATION_ERR && message.code > 0 &&
               message.code <= CAUCUS_CREATION_DEAD) {
        fail(setup, own, message.code, (int32_t)(uint32_t)message.number, actions);
    } else if (message.kind == CAUCUS_CREATION_UP && is_child) {
        caucus_set_add(own->heard, position);
        own->wishes |= message.number;
    } else if (message.kind == CAUCUS_CREATION_DOWN && position == parent_of(setup, setup->me) &&
               setup->me != 0) {
        own->number = message.number;
        succeed(setup, own, actions);
    }
}

static void ask(const struct caucus_creation_setup *setup, const struct state *own,
                struct caucus_actions *actions) {
    int32_t count = children_of(setup, setup->me);
    bool reports = !setup->checked || awaited_child(setup, own) < 0;
    if (reports && setup->me != 0)
        send(setup, parent_of(setup, setup->me), CAUCUS_CREATION_ASK, 0, 0, actions);
    for (int32_t i = 0; !reports && i < count; i++)
        if (!has_reported(own, child_at(setup, i, count)))
            send(setup, child_at(setup, i, count), CAUCUS_CREATION_ASK, 0, 0, actions);
}

/* How many levels of others the one I wait for may be waiting for itself: of a child those below
 * it; of the parent those of the whole tree, and those above me. */
static int32_t levels_beyond(const struct caucus_creation_setup *setup, const struct state *own) {
    int32_t child = setup->checked ? awaited_child(setup, own) : -1;
    if (child >= 0)
        return children_of(setup, child);
    int32_t levels = setup->flat ? 1 : children_of(setup, 0);
    for (int32_t above = setup->me; above != 0; above = parent_of(setup, above))
        levels++;
    return levels;
}

static void on_absence(const struct caucus_creation_setup *setup, struct state *own,
                       struct caucus_actions *actions) {
    int64_t grace = own->late ? 0 : setup->grace * levels_beyond(setup, own);
    own->late = 1;
    if (grace > 0)
        caucus_act_timer(actions, TIMER_ABSENT, grace);
    else
        fail(setup, own, CAUCUS_CREATION_TIMEOUT, setup->ranks[awaited(setup, own)], actions);
}

static void on_timer(const struct caucus_creation_setup *setup, struct state *own, int64_t timer,
                     struct caucus_actions *actions) {
    if (own->decided)
        return;
    if (timer == TIMER_ABSENT)
        on_absence(setup, own, actions);
    else
        ask(setup, own, actions);
}

static void step(const void *given, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct caucus_creation_setup *setup = given;
    struct state *own = state;
    if (event->kind == CAUCUS_EVENT_CALL)
        on_call(setup, own, event, actions);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_message(setup, own, event, actions);
    else if (event->kind == CAUCUS_EVENT_TIMER)
        on_timer(setup, own, event->number, actions);
    else if (position_of(setup, event->peer) >= 0)
        fail(setup, own, CAUCUS_CREATION_DEAD, event->peer, actions);
    advance(setup, own, actions);
}

static bool hears(const void *given, const void *state, const struct caucus_event *event) {
    const struct state *own = state;
    return event->kind == CAUCUS_EVENT_CALL ||
           (own->called && position_of(given, event->peer) >= 0);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"UP", "DOWN", "ERR", "ASK"};
    struct message message = {0};
    if (length == (int64_t)sizeof message)
        memcpy(&message, bytes, sizeof message);
    snprintf(text, (size_t)size, "%s of list %llu, code %d, number %llu",
             message.kind >= 0 && message.kind < CAUCUS_CREATION_WORDS ? names[message.kind] : "?",
             (unsigned long long)message.hash, (int)message.code,
             (unsigned long long)message.number);
}

/* Of the children that have not reported those with somebody below them, or those without. */
static void tell_children(const struct caucus_creation_setup *setup, const struct state *own,
                          bool inner, struct caucus_sentences *words) {
    int32_t count = children_of(setup, setup->me);
    for (int32_t i = 0; i < count; i++) {
        int32_t child = child_at(setup, i, count);
        if (!has_reported(own, child) && (children_of(setup, child) > 0) == inner)
            caucus_sentences_name(words, setup->ranks[child]);
    }
    caucus_sentences_have(words, "%s",
                          inner ? "not come, or somebody below it in the tree (message UP)"
                                : "not come (message UP)");
}

void caucus_creation_explain(const struct caucus_creation_setup *setup, const void *state,
                             char *text, int64_t size) {
    const struct state *own = state;
    struct caucus_sentences words = caucus_sentences_in(text, size);
    if (!own->called || own->decided)
        return;
    if (setup->checked && awaited_child(setup, own) >= 0) {
        tell_children(setup, own, false, &words);
        tell_children(setup, own, true, &words);
    } else if (setup->me != 0) {
        caucus_sentences_has(&words, setup->ranks[parent_of(setup, setup->me)],
                             setup->checked ? "not told that all have come (message DOWN)"
                                            : "not told the number of the group (message DOWN)");
    }
}

const struct caucus_protocol caucus_creation = {
    "creation", state_bytes, begin, step, hears, describe,
};
