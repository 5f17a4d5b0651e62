/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/protocol/asking.h"

#include "plan/protocol/member_set.h"

#include <stdio.h>
#include <string.h>

struct state {
    int32_t asked, taker; /* 1 + rank; 0: nobody */
    uint64_t waiting[];   /* whose wish has no answer yet */
};

static int64_t state_bytes(const void *setup) {
    const struct caucus_asking_setup *of = setup;
    return (int64_t)sizeof(struct state) + 8 * caucus_set_words(of->ranks);
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

static bool may_answer(const struct state *own) {
    return own->asked == 0 && own->taker == 0;
}

static int32_t next_waiting(const struct caucus_asking_setup *setup, const struct state *own,
                            int32_t from) {
    for (int32_t rank = from; rank < setup->ranks; rank++) {
        if (rank % 64 == 0 && own->waiting[rank / 64] == 0)
            rank += 63; /* none of these */
        else if (caucus_set_has(own->waiting, rank))
            return rank;
    }
    return -1;
}

int32_t caucus_asking_next(const struct caucus_asking_setup *setup, const void *state,
                           int32_t from) {
    const struct state *own = state;
    return may_answer(own) ? next_waiting(setup, own, from) : -1;
}

static void remove_waiting(struct state *own, int32_t rank) {
    own->waiting[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
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
        remove_waiting(own, rank);
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
    return rank >= 0 && rank < setup->ranks && caucus_set_has(own->waiting, rank);
}

static bool hears(const void *given, const void *state, const struct caucus_event *event) {
    const struct caucus_asking_setup *setup = given;
    const struct state *own = state;
    int32_t rank;
    if (event->kind != CAUCUS_EVENT_CALL)
        return true;
    if (event->number == CAUCUS_ASKING_OPEN)
        return own->asked == 0;
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        if (event->number != CAUCUS_ASKING_ASK && !is_waiting(setup, own, rank))
            return false;
    }
    return may_answer(own);
}

static void on_call(struct state *own, const struct caucus_event *event,
                    const struct caucus_asking_setup *setup, struct caucus_actions *actions) {
    int32_t rank;
    if (event->number == CAUCUS_ASKING_OPEN)
        own->taker = 0;
    for (int64_t at = 0; at < event->length; at += (int64_t)sizeof rank) {
        memcpy(&rank, (const unsigned char *)event->bytes + at, sizeof rank);
        if (event->number == CAUCUS_ASKING_ASK) {
            own->asked = rank + 1;
            send(rank, CAUCUS_ASKING_ASKED, -1, actions);
        } else {
            bool takes = event->number == CAUCUS_ASKING_TAKE;
            remove_waiting(own, rank);
            send(rank, takes ? CAUCUS_ASKING_TAKEN : CAUCUS_ASKING_REFUSED, takes ? setup->me : -1,
                 actions);
        }
    }
}

static void on_message(struct state *own, const struct caucus_event *event,
                       const struct caucus_asking_setup *setup, struct caucus_actions *actions) {
    struct caucus_asking_message message;
    if (event->length != (int64_t)sizeof message || event->peer < 0 || event->peer >= setup->ranks)
        return;
    memcpy(&message, event->bytes, sizeof message);
    bool answers = own->asked == event->peer + 1;
    if (message.word == CAUCUS_ASKING_ASKED) {
        caucus_set_add(own->waiting, event->peer);
    } else if (answers &&
               (message.word == CAUCUS_ASKING_TAKEN || message.word == CAUCUS_ASKING_REFUSED)) {
        own->asked = 0;
        if (message.word == CAUCUS_ASKING_TAKEN)
            own->taker = event->peer + 1;
        caucus_act_decide(actions, message.word, &message.rank, sizeof message.rank);
    }
}

static void step(const void *given, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions) {
    const struct caucus_asking_setup *setup = given;
    struct state *own = state;
    if (event->kind == CAUCUS_EVENT_CALL && hears(setup, own, event))
        on_call(own, event, setup, actions);
    else if (event->kind == CAUCUS_EVENT_MESSAGE)
        on_message(own, event, setup, actions);
    tidy(setup, own, actions);
}

static void describe(const void *bytes, int64_t length, char *text, int64_t size) {
    static const char *const names[] = {"ASKED", "TAKEN", "REFUSED"};
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
