/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/join_request.h"

#include "plan/protocol/member_set.h"
#include "plan/protocol/sentences.h"

#include <stdio.h>
#include <string.h>

struct state {
    int32_t asked, taker; /* 1 + rank; 0: nobody */
    uint64_t sets[]; /* whose wish has no answer yet, who owes one that was given up, the dead */
};

static int64_t state_bytes(const void *setup) {
    const struct caucus_join_request_setup *of = setup;
    return (int64_t)sizeof(struct state) + 24 * caucus_set_words(of->ranks);
}

struct member {
    const struct caucus_join_request_setup *setup;
    struct state *own;
    uint64_t *waiting, *owing, *dead;
    struct caucus_actions *actions;
};

/* actions may be NULL where nothing is done. */
static struct member member_of(const struct caucus_join_request_setup *setup, const void *state,
                               struct caucus_actions *actions) {
    struct state *own = (struct state *)(uintptr_t)state;
    int64_t words = caucus_set_words(setup->ranks);
    return (struct member){setup,  own, own->sets, own->sets + words, own->sets + 2 * words,
                           actions};
}

static void begin(const void *setup, int32_t me, void *state) {
    (void)setup, (void)me, (void)state;
}

int32_t caucus_join_request_asked(const void *state) {
    return ((const struct state *)state)->asked - 1;
}

int32_t caucus_join_request_taker(const void *state) {
    return ((const struct state *)state)->taker - 1;
}

void caucus_join_request_explain(const void *state, bool withdrawn, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    int32_t asked = caucus_join_request_asked(state);
    if (asked >= 0)
        caucus_sentences_has(&words, asked,
                             withdrawn ? "not heard that the wish was withdrawn (message FREE)"
                                       : "not answered whether it takes this group in (message "
                                         "TAKEN or REFUSED)");
}

bool caucus_join_request_owes(const struct caucus_join_request_setup *setup, const void *state,
                              int32_t rank) {
    return caucus_set_has(member_of(setup, state, NULL).owing, rank);
}

static bool may_answer(const struct state *own) {
    return own->asked == 0 && own->taker == 0;
}

static int32_t next_waiting(const struct member *m, int32_t from) {
    for (int32_t rank = from; rank < m->setup->ranks; rank++) {
        if (rank % 64 == 0 && m->waiting[rank / 64] == 0)
            rank += 63; /* none of these */
        else if (caucus_set_has(m->waiting, rank))
            return rank;
    }
    return -1;
}

int32_t caucus_join_request_next(const struct caucus_join_request_setup *setup, const void *state,
                                 int32_t from) {
    const struct member m = member_of(setup, state, NULL);
    return may_answer(m.own) ? next_waiting(&m, from) : -1;
}

static void take_out(uint64_t *set, int32_t rank) {
    set[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

static void send(const struct member *m, int32_t to, enum caucus_join_request_word word,
                 int32_t rank) {
    struct caucus_join_request_message message = {(int32_t)word, rank};
    caucus_act_send(m->actions, to, &message, sizeof message);
}

/* All from a rank on, who had better ask another one. */
static void refuse_from(const struct member *m, int32_t from, int32_t instead) {
    for (int32_t rank = next_waiting(m, from); rank >= 0; rank = next_waiting(m, rank + 1)) {
        take_out(m->waiting, rank);
        send(m, rank, CAUCUS_JOIN_REQUEST_REFUSED, instead);
    }
}

/* Nobody waits who would make a ring, or for one that cannot answer any more. */
static void tidy(const struct member *m) {
    if (m->own->taker > 0)
        refuse_from(m, 0, m->own->taker - 1);
    else if (m->own->asked > 0)
        refuse_from(m, m->setup->me + 1, m->own->asked - 1);
}

static bool is_waiting(const struct member *m, int32_t rank) {
    return rank >= 0 && rank < m->setup->ranks && caucus_set_has(m->waiting, rank);
}

static bool hears(const void *setup, const void *state, const struct caucus_event *event) {
    const struct member m = member_of(setup, state, NULL);
    bool asks = event->number == CAUCUS_JOIN_REQUEST_ASK;
    int32_t rank;
    if (event->kind != CAUCUS_EVENT_CALL)
        return true;
    if (event->number == CAUCUS_JOIN_REQUEST_OPEN)
        return m.own->asked == 0;
    if (event->number == CAUCUS_JOIN_REQUEST_WITHDRAW ||
        event->number == CAUCUS_JOIN_REQUEST_GIVE_UP)
        return m.own->asked > 0;
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        if (asks ? caucus_set_has(m.owing, rank) : !is_waiting(&m, rank))
            return false;
    }
    return may_answer(m.own);
}

static void ask(const struct member *m, int32_t rank) {
    if (caucus_set_has(m->dead, rank)) {
        caucus_act_decide(m->actions, CAUCUS_JOIN_REQUEST_DEAD, &rank, sizeof rank);
        return;
    }
    m->own->asked = rank + 1;
    send(m, rank, CAUCUS_JOIN_REQUEST_ASKED, -1);
}

static void on_call(const struct member *m, const struct caucus_event *event) {
    int32_t rank;
    if (event->number == CAUCUS_JOIN_REQUEST_OPEN) {
        m->own->taker = 0;
    } else if (event->number == CAUCUS_JOIN_REQUEST_WITHDRAW) {
        send(m, m->own->asked - 1, CAUCUS_JOIN_REQUEST_WITHDRAWN, -1);
    } else if (event->number == CAUCUS_JOIN_REQUEST_GIVE_UP) {
        caucus_set_add(m->owing, m->own->asked - 1); /* heard of no more, but for the answer */
        m->own->asked = 0;
    }
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        if (event->number == CAUCUS_JOIN_REQUEST_ASK) {
            ask(m, rank);
        } else {
            bool takes = event->number == CAUCUS_JOIN_REQUEST_TAKE;
            take_out(m->waiting, rank);
            send(m, rank, takes ? CAUCUS_JOIN_REQUEST_TAKEN : CAUCUS_JOIN_REQUEST_REFUSED,
                 takes ? m->setup->me : -1);
        }
    }
}

static bool is_answer(int32_t word) {
    return word == CAUCUS_JOIN_REQUEST_TAKEN || word == CAUCUS_JOIN_REQUEST_REFUSED ||
           word == CAUCUS_JOIN_REQUEST_FREE;
}

static void on_message(const struct member *m, const struct caucus_event *event) {
    struct caucus_join_request_message message;
    if (event->length != (int64_t)sizeof message || event->peer < 0 ||
        event->peer >= m->setup->ranks || caucus_set_has(m->dead, event->peer))
        return;
    memcpy(&message, event->bytes, sizeof message);
    if (message.word == CAUCUS_JOIN_REQUEST_ASKED) {
        caucus_set_add(m->waiting, event->peer);
    } else if (message.word == CAUCUS_JOIN_REQUEST_WITHDRAWN && is_waiting(m, event->peer)) {
        take_out(m->waiting, event->peer);
        send(m, event->peer, CAUCUS_JOIN_REQUEST_FREE, -1);
    } else if (is_answer(message.word) && caucus_set_has(m->owing, event->peer)) {
        take_out(m->owing, event->peer);
    } else if (is_answer(message.word) && m->own->asked == event->peer + 1) {
        m->own->asked = 0;
        if (message.word == CAUCUS_JOIN_REQUEST_TAKEN)
            m->own->taker = event->peer + 1;
        caucus_act_decide(m->actions, message.word, &message.rank, sizeof message.rank);
    }
}

/* Of a wish of this rank, and of his. */
static void on_death(const struct member *m, int32_t rank) {
    caucus_set_add(m->dead, rank);
    take_out(m->waiting, rank);
    take_out(m->owing, rank);
    if (m->own->asked != rank + 1)
        return;
    m->own->asked = 0;
    caucus_act_decide(m->actions, CAUCUS_JOIN_REQUEST_DEAD, &rank, sizeof rank);
}

static void step(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct member m = member_of(setup, state, actions);
    if (event->kind == CAUCUS_EVENT_CALL && hears(setup, state, event))
        on_call(&m, event);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_message(&m, event);
    else if (event->kind == CAUCUS_EVENT_DEATH && event->peer >= 0 && event->peer < m.setup->ranks)
        on_death(&m, event->peer);
    tidy(&m);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"ASKED", "TAKEN", "REFUSED", "WITHDRAWN", "FREE"};
    struct caucus_join_request_message message = {CAUCUS_JOIN_REQUEST_WORDS, -1};
    if (length == (int64_t)sizeof message)
        memcpy(&message, bytes, sizeof message);
    bool known = message.word >= 0 && message.word < CAUCUS_JOIN_REQUEST_WORDS;
    snprintf(text, (size_t)size, "%s, rank %d", known ? names[message.word] : "?",
             (int)message.rank);
}

const struct caucus_protocol caucus_join_request_protocol = {
    "join request", state_bytes, begin, step, hears, describe,
};
