/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/asking.h"

#include "plan/protocol/member_set.h"
#include "plan/protocol/sentences.h"

#include <stdio.h>
#include <string.h>

struct state {
    int32_t asked, taker; /* 1 + rank; 0: nobody */
    uint64_t sets[]; /* whose wish has no answer yet, who owes one that was given up, the dead */
};

static int64_t state_bytes(const void *setup) {
    const struct caucus_asking_setup *of = setup;
    return (int64_t)sizeof(struct state) + 24 * caucus_set_words(of->ranks);
}

static uint64_t *owing(const struct caucus_asking_setup *setup, struct state *own) {
    return own->sets + caucus_set_words(setup->ranks);
}

static void begin(const void *setup, int32_t me, void *state) {
    (void)setup, (void)me, (void)state;
}

int32_t caucus_asking_asked(const void *state) {
    return ((const struct state *)state)->asked - 1;
}

int32_t caucus_asking_taker(const void *state) {
    return ((const struct state *)state)->taker - 1;
}

void caucus_asking_explain(const void *state, bool withdrawn, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    int32_t asked = caucus_asking_asked(state);
    if (asked >= 0)
        caucus_sentences_has(&words, asked,
                             withdrawn ? "not heard that the wish was withdrawn (message FREE)"
                                       : "not answered whether it takes this group in (message "
                                         "TAKEN or REFUSED)");
}

static uint64_t *dead(const struct caucus_asking_setup *setup, struct state *own) {
    return own->sets + 2 * (int64_t)caucus_set_words(setup->ranks);
}

bool caucus_asking_owes(const struct caucus_asking_setup *setup, const void *state, int32_t rank) {
    const struct state *own = state;
    return caucus_set_has(own->sets + caucus_set_words(setup->ranks), rank);
}

static bool may_answer(const struct state *own) {
    return own->asked == 0 && own->taker == 0;
}

static int32_t next_waiting(const struct caucus_asking_setup *setup, const struct state *own,
                            int32_t from) {
    for (int32_t rank = from; rank < setup->ranks; rank++) {
        if (rank % 64 == 0 && own->sets[rank / 64] == 0)
            rank += 63; /* none of these */
        else if (caucus_set_has(own->sets, rank))
            return rank;
    }
    return -1;
}

int32_t caucus_asking_next(const struct caucus_asking_setup *setup, const void *state,
                           int32_t from) {
    const struct state *own = state;
    return may_answer(own) ? next_waiting(setup, own, from) : -1;
}

static void take_out(uint64_t *set, int32_t rank) {
    set[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

static void send(int32_t to, enum caucus_asking_word word, int32_t rank,
                 struct caucus_actions *actions) {
    struct caucus_asking_message message = {(int32_t)word, rank};
    caucus_act_send(actions, to, &message, sizeof message);
}

/* All from a rank on, who had better ask another one. */
static void refuse_from(const struct caucus_asking_setup *setup, struct state *own, int32_t from,
                        int32_t instead, struct caucus_actions *actions) {
    for (int32_t rank = next_waiting(setup, own, from); rank >= 0;
         rank = next_waiting(setup, own, rank + 1)) {
        take_out(own->sets, rank);
        send(rank, CAUCUS_ASKING_REFUSED, instead, actions);
    }
}

/* Nobody waits who would make a ring, or for one that cannot answer any more. */
static void tidy(const struct caucus_asking_setup *setup, struct state *own,
                 struct caucus_actions *actions) {
    if (own->taker > 0)
        refuse_from(setup, own, 0, own->taker - 1, actions);
    else if (own->asked > 0)
        refuse_from(setup, own, setup->me + 1, own->asked - 1, actions);
}

static bool is_waiting(const struct caucus_asking_setup *setup, const struct state *own,
                       int32_t rank) {
    return rank >= 0 && rank < setup->ranks && caucus_set_has(own->sets, rank);
}

static bool hears(const void *given, const void *state, const struct caucus_event *event) {
    const struct caucus_asking_setup *setup = given;
    const struct state *own = state;
    int32_t rank;
    if (event->kind != CAUCUS_EVENT_CALL)
        return true;
    if (event->number == CAUCUS_ASKING_OPEN)
        return own->asked == 0;
    if (event->number == CAUCUS_ASKING_WITHDRAW || event->number == CAUCUS_ASKING_GIVE_UP)
        return own->asked > 0;
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        bool asks = event->number == CAUCUS_ASKING_ASK;
        if (asks ? caucus_asking_owes(setup, own, rank) : !is_waiting(setup, own, rank))
            return false;
    }
    return may_answer(own);
}

static void ask(const struct caucus_asking_setup *setup, struct state *own, int32_t rank,
                struct caucus_actions *actions) {
    if (caucus_set_has(dead(setup, own), rank)) {
        caucus_act_decide(actions, CAUCUS_ASKING_DEAD, &rank, sizeof rank);
        return;
    }
    own->asked = rank + 1;
    send(rank, CAUCUS_ASKING_ASKED, -1, actions);
}

/* Who was asked is heard of no more, but for the answer. */
static void give_up(const struct caucus_asking_setup *setup, struct state *own) {
    caucus_set_add(owing(setup, own), own->asked - 1);
    own->asked = 0;
}

static void on_call(struct state *own, const struct caucus_event *event,
                    const struct caucus_asking_setup *setup, struct caucus_actions *actions) {
    int32_t rank;
    if (event->number == CAUCUS_ASKING_OPEN)
        own->taker = 0;
    else if (event->number == CAUCUS_ASKING_WITHDRAW)
        send(own->asked - 1, CAUCUS_ASKING_WITHDRAWN, -1, actions);
    else if (event->number == CAUCUS_ASKING_GIVE_UP)
        give_up(setup, own);
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        if (event->number == CAUCUS_ASKING_ASK) {
            ask(setup, own, rank, actions);
        } else {
            bool takes = event->number == CAUCUS_ASKING_TAKE;
            take_out(own->sets, rank);
            send(rank, takes ? CAUCUS_ASKING_TAKEN : CAUCUS_ASKING_REFUSED, takes ? setup->me : -1,
                 actions);
        }
    }
}

static bool is_answer(int32_t word) {
    return word == CAUCUS_ASKING_TAKEN || word == CAUCUS_ASKING_REFUSED ||
           word == CAUCUS_ASKING_FREE;
}

static void on_message(struct state *own, const struct caucus_event *event,
                       const struct caucus_asking_setup *setup, struct caucus_actions *actions) {
    struct caucus_asking_message message;
    if (event->length != (int64_t)sizeof message || event->peer < 0 ||
        event->peer >= setup->ranks || caucus_set_has(dead(setup, own), event->peer))
        return;
    memcpy(&message, event->bytes, sizeof message);
    if (message.word == CAUCUS_ASKING_ASKED) {
        caucus_set_add(own->sets, event->peer);
    } else if (message.word == CAUCUS_ASKING_WITHDRAWN && is_waiting(setup, own, event->peer)) {
        take_out(own->sets, event->peer);
        send(event->peer, CAUCUS_ASKING_FREE, -1, actions);
    } else if (is_answer(message.word) && caucus_asking_owes(setup, own, event->peer)) {
        take_out(owing(setup, own), event->peer);
    } else if (is_answer(message.word) && own->asked == event->peer + 1) {
        own->asked = 0;
        if (message.word == CAUCUS_ASKING_TAKEN)
            own->taker = event->peer + 1;
        caucus_act_decide(actions, message.word, &message.rank, sizeof message.rank);
    }
}

/* Of a wish of this rank, and of his. */
static void on_death(struct state *own, int32_t rank, const struct caucus_asking_setup *setup,
                     struct caucus_actions *actions) {
    caucus_set_add(dead(setup, own), rank);
    take_out(own->sets, rank);
    take_out(owing(setup, own), rank);
    if (own->asked != rank + 1)
        return;
    own->asked = 0;
    caucus_act_decide(actions, CAUCUS_ASKING_DEAD, &rank, sizeof rank);
}

static void step(const void *given, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct caucus_asking_setup *setup = given;
    struct state *own = state;
    if (event->kind == CAUCUS_EVENT_CALL && hears(setup, own, event))
        on_call(own, event, setup, actions);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_message(own, event, setup, actions);
    else if (event->kind == CAUCUS_EVENT_DEATH && event->peer >= 0 && event->peer < setup->ranks)
        on_death(own, event->peer, setup, actions);
    tidy(setup, own, actions);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"ASKED", "TAKEN", "REFUSED", "WITHDRAWN", "FREE"};
    struct caucus_asking_message message = {CAUCUS_ASKING_WORDS, -1};
    if (length == (int64_t)sizeof message)
        memcpy(&message, bytes, sizeof message);
    bool known = message.word >= 0 && message.word < CAUCUS_ASKING_WORDS;
    snprintf(text, (size_t)size, "%s, rank %d", known ? names[message.word] : "?",
             (int)message.rank);
}

const struct caucus_protocol caucus_asking_protocol = {
    "asking", state_bytes, begin, step, hears, describe,
};
