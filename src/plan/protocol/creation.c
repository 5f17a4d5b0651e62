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
    int32_t code; /* ERR: why, and its number is the rank to be named; UP: whether any settles */
    uint64_t hash;
    uint64_t number;
};
_Static_assert(sizeof(struct message) == CAUCUS_CREATION_MESSAGE_BYTES, "no gaps");

struct state {
    uint64_t number;
    uint64_t wishes; /* of those below me, and mine */
    uint8_t called, reported, decided, late;
    uint8_t settles;  /* somebody below me, or I */
    uint8_t asked;    /* whether I stay */
    uint8_t promised; /* that I do */
    uint8_t unused;
    int64_t awaited;  /* how many right below me have not: */
    uint64_t heard[]; /* positions that reported or, once I am asked, that promised */
};

enum caucus_creation_word caucus_creation_word_of(const void *bytes) {
    struct message message;
    memcpy(&message, bytes, sizeof message);
    return (enum caucus_creation_word)message.kind;
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

static int32_t parent_of(const struct caucus_creation_setup *setup, int32_t position) {
    return setup->flat ? 0 : caucus_position_parent(position);
}

static int32_t children_of(const struct caucus_creation_setup *setup, int32_t position) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    if (setup->flat)
        return position == 0 ? setup->members - 1 : 0;
    return caucus_position_children(setup->members, position, children);
}

static void begin(const void *given, int32_t me, void *state) {
    const struct caucus_creation_setup *setup = given;
    (void)me;
    ((struct state *)state)->awaited = setup->checked ? children_of(setup, setup->me) : 0;
}

/* -1 for who is no member. Whoever is right above or below has most to say, and is found without
 * going through a long list. */
static int32_t position_of(const struct caucus_creation_setup *setup, int32_t rank) {
    int32_t children[CAUCUS_POSITION_CHILDREN], parent = parent_of(setup, setup->me);
    int32_t count = caucus_position_children(setup->members, setup->me, children);
    if (setup->ranks[parent] == rank)
        return parent;
    for (int32_t i = 0; i < count; i++)
        if (setup->ranks[children[i]] == rank)
            return children[i];
    if (setup->position)
        return setup->position(setup->list, rank);
    for (int32_t i = 0; i < setup->members; i++)
        if (setup->ranks[i] == rank)
            return i;
    return -1;
}

struct member {
    const struct caucus_creation_setup *setup;
    struct state *own;
    struct caucus_actions *actions;
    int32_t me, parent, children; /* positions, and how many are right below me */
};

/* actions may be NULL where nothing is done. */
static struct member member_of(const struct caucus_creation_setup *setup, const void *state,
                               struct caucus_actions *actions) {
    return (struct member){
        setup,     (struct state *)(uintptr_t)state, actions,
        setup->me, parent_of(setup, setup->me),      children_of(setup, setup->me)};
}

/* Those with most below them first. */
static int32_t child_at(const struct member *m, int32_t i) {
    return m->setup->flat ? i + 1 : m->me + (1 << (m->children - 1 - i));
}

static void send(const struct member *m, int32_t position, enum caucus_creation_word kind,
                 int32_t code, uint64_t number) {
    struct message message = {(int32_t)kind, code, m->setup->hash, number};
    caucus_act_send(m->actions, m->setup->ranks[position], &message, sizeof message);
}

static void send_below(const struct member *m, enum caucus_creation_word kind, uint64_t number) {
    for (int32_t i = 0; i < m->children; i++)
        send(m, child_at(m, i), kind, 0, number);
}

static void end_timers(const struct member *m) {
    if (m->setup->patience > 0)
        caucus_act_timer(m->actions, TIMER_PATIENCE, -1);
    if (m->setup->timeout > 0)
        caucus_act_timer(m->actions, TIMER_ABSENT, -1);
}

static void fail(const struct member *m, int32_t code, int32_t rank) {
    if (m->own->decided || !m->own->called)
        return;
    m->own->decided = 1;
    for (int32_t i = 0; i < m->setup->members; i++)
        if (i != m->me)
            send(m, i, CAUCUS_CREATION_ERR, code, (uint64_t)(uint32_t)rank);
    caucus_act_decide(m->actions, code, &rank, sizeof rank);
    end_timers(m);
}

static void succeed(const struct member *m) {
    m->own->decided = 1;
    send_below(m, CAUCUS_CREATION_DOWN, m->own->number);
    caucus_act_decide(m->actions, CAUCUS_CREATION_DONE, &m->own->number, sizeof m->own->number);
    end_timers(m);
}

static void hear(const struct member *m, int32_t position) {
    m->own->awaited -= !caucus_set_has(m->own->heard, position);
    caucus_set_add(m->own->heard, position);
}

/* The first child that I wait for; -1 if there is none. */
static int32_t awaited_child(const struct member *m) {
    for (int32_t i = 0; i < m->children && m->own->awaited > 0; i++)
        if (!caucus_set_has(m->own->heard, child_at(m, i)))
            return child_at(m, i);
    return -1;
}

/* From here on each child is waited for again, for its YES. */
static void ask_to_stay(const struct member *m) {
    m->own->asked = 1;
    caucus_set_clear(m->own->heard, m->setup->members);
    m->own->awaited = m->children;
    send_below(m, CAUCUS_CREATION_STAY, 0);
}

/* What I say to the one above me once I wait for nobody below. */
static void report(const struct member *m) {
    if (!m->own->reported) {
        m->own->reported = 1;
        send(m, m->parent, CAUCUS_CREATION_UP, m->own->settles, m->own->wishes);
    } else if (m->own->asked && !m->own->promised) {
        m->own->promised = 1;
        send(m, m->parent, CAUCUS_CREATION_YES, 0, 0);
        end_timers(m); /* others may succeed now, so this one gives up no more */
    }
}

static void advance(const struct member *m) {
    if (!m->own->called || m->own->decided || m->own->awaited > 0)
        return;
    if (m->me == 0 && m->own->settles && !m->own->asked)
        ask_to_stay(m);
    if (m->me != 0 && m->setup->checked) {
        report(m);
    } else if (m->me == 0 && m->own->awaited == 0) {
        m->own->number |= m->own->wishes;
        succeed(m);
    }
}

static void on_call(const struct member *m, const struct caucus_event *event) {
    if (m->own->called)
        return;
    m->own->called = 1;
    m->own->wishes |= m->setup->wishes;
    m->own->settles = m->setup->checked && m->setup->settles;
    if (event->number == CAUCUS_CREATION_OBJECT)
        fail(m, CAUCUS_CREATION_MISMATCH, m->setup->ranks[m->me]);
    if (event->length == (int64_t)sizeof m->own->number)
        memcpy(&m->own->number, event->bytes, sizeof m->own->number);
    advance(m);
    if (!m->own->decided && m->setup->patience > 0)
        caucus_act_timer(m->actions, TIMER_PATIENCE, m->setup->patience);
    if (!m->own->decided && m->setup->timeout > 0)
        caucus_act_timer(m->actions, TIMER_ABSENT, m->setup->timeout);
}

/* Of a child. */
static void on_report(const struct member *m, int32_t position, const struct message *message) {
    struct state *own = m->own;
    if (message->kind == CAUCUS_CREATION_UP && !own->asked) {
        hear(m, position);
        own->wishes |= message->number;
        own->settles |= message->code != 0;
    } else if (message->kind == CAUCUS_CREATION_YES && own->asked) {
        hear(m, position);
    }
}

static void on_word_from_above(const struct member *m, const struct message *message) {
    if (message->kind == CAUCUS_CREATION_STAY && m->own->reported && !m->own->asked) {
        ask_to_stay(m);
    } else if (message->kind == CAUCUS_CREATION_DOWN) {
        m->own->number = message->number;
        succeed(m);
    }
}

static void on_message(const struct member *m, const struct caucus_event *event) {
    struct message message;
    int32_t position = position_of(m->setup, event->peer);
    if (m->own->decided || position < 0 || event->length != (int64_t)sizeof message)
        return;
    memcpy(&message, event->bytes, sizeof message);
    if (message.hash != m->setup->hash)
        fail(m, CAUCUS_CREATION_MISMATCH, event->peer);
    else if (message.kind == CAUCUS_CREATION_ERR && message.code > 0 &&
             message.code <= CAUCUS_CREATION_DEAD)
        fail(m, message.code, (int32_t)(uint32_t)message.number);
    else if (position > m->me && parent_of(m->setup, position) == m->me)
        on_report(m, position, &message);
    else if (m->me != 0 && position == m->parent)
        on_word_from_above(m, &message);
}

static void ask(const struct member *m) {
    bool reports = m->own->awaited == 0;
    if (reports && m->me != 0)
        send(m, m->parent, CAUCUS_CREATION_ASK, 0, 0);
    for (int32_t i = 0; !reports && i < m->children; i++)
        if (!caucus_set_has(m->own->heard, child_at(m, i)))
            send(m, child_at(m, i), CAUCUS_CREATION_ASK, 0, 0);
}

/* How many levels of others the one I wait for may be waiting for itself: of a child those below
 * it; of the parent those of the whole tree, and those above me. */
static int32_t levels_beyond(const struct member *m, int32_t child) {
    if (child >= 0)
        return children_of(m->setup, child);
    int32_t levels = m->setup->flat ? 1 : children_of(m->setup, 0);
    for (int32_t above = m->me; above != 0; above = parent_of(m->setup, above))
        levels++;
    return levels;
}

static void on_absence(const struct member *m) {
    int32_t child = awaited_child(m);
    int64_t grace = m->own->late ? 0 : m->setup->grace * levels_beyond(m, child);
    m->own->late = 1;
    if (grace > 0)
        caucus_act_timer(m->actions, TIMER_ABSENT, grace);
    else
        fail(m, CAUCUS_CREATION_TIMEOUT, m->setup->ranks[child >= 0 ? child : m->parent]);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct member m = member_of(setup, state, actions);
    if (event->kind == CAUCUS_EVENT_CALL)
        on_call(&m, event);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_message(&m, event);
    else if (event->kind == CAUCUS_EVENT_DEATH && position_of(setup, event->peer) >= 0)
        fail(&m, CAUCUS_CREATION_DEAD, event->peer);
    else if (event->kind == CAUCUS_EVENT_TIMER && !m.own->decided)
        (event->number == TIMER_ABSENT ? on_absence : ask)(&m);
    advance(&m);
}

static bool hears(const void *given, const void *state, const struct caucus_event *event) {
    const struct state *own = state;
    return event->kind == CAUCUS_EVENT_CALL ||
           (own->called && !own->decided && position_of(given, event->peer) >= 0);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"UP", "DOWN", "ERR", "ASK", "STAY", "YES"};
    struct message message = {0};
    if (length == (int64_t)sizeof message)
        memcpy(&message, bytes, sizeof message);
    snprintf(text, (size_t)size, "%s of list %llu, code %d, number %llu",
             message.kind >= 0 && message.kind < CAUCUS_CREATION_WORDS ? names[message.kind] : "?",
             (unsigned long long)message.hash, (int)message.code,
             (unsigned long long)message.number);
}

/* Of the children that are waited for those with somebody below them, or those without. */
static void tell_children(const struct member *m, bool inner, struct caucus_sentences *words) {
    for (int32_t i = 0; i < m->children; i++) {
        int32_t child = child_at(m, i);
        if (!caucus_set_has(m->own->heard, child) && (children_of(m->setup, child) > 0) == inner)
            caucus_sentences_name(words, m->setup->ranks[child]);
    }
    caucus_sentences_have(
        words, m->own->asked ? "not said to stay%s (message YES)" : "not come%s (message UP)",
        inner ? ", or somebody below it in the tree" : "");
}

void caucus_creation_explain(const struct caucus_creation_setup *setup, const void *state,
                             char *text, int64_t size) {
    const struct member m = member_of(setup, state, NULL);
    struct caucus_sentences words = caucus_sentences_in(text, size);
    if (!m.own->called || m.own->decided)
        return;
    if (m.own->awaited > 0) {
        tell_children(&m, false, &words);
        tell_children(&m, true, &words);
    } else if (m.me != 0) {
        caucus_sentences_has(&words, setup->ranks[m.parent],
                             setup->checked ? "not told that all have come (message DOWN)"
                                            : "not told the number of the group (message DOWN)");
    }
}

const struct caucus_protocol caucus_creation = {
    "creation", state_bytes, begin, step, hears, describe,
};
