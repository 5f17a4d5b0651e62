/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of alive.h: a member's state, what it says, and how it comes to an outcome. */
#ifndef CAUCUS_PLAN_PROTOCOL_ALIVE_MACHINE_H
#define CAUCUS_PLAN_PROTOCOL_ALIVE_MACHINE_H

#include "plan/protocol/alive_message.h"
#include "plan/protocol/alive_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_ALIVE_NOBODY = -1 };

enum caucus_alive_timer {
    CAUCUS_ALIVE_TIMER_HERE,
    CAUCUS_ALIVE_TIMER_ABSENT,
    CAUCUS_ALIVE_TIMER_DOUBT
};

/* Sets that follow the head in a state. */
enum caucus_alive_sets {
    CAUCUS_ALIVE_SET_DEAD,
    CAUCUS_ALIVE_SET_UP,     /* who reported to me */
    CAUCUS_ALIVE_SET_ACK,    /* who acknowledged the proposal I am bound to */
    CAUCUS_ALIVE_SET_FIN,    /* who has nobody left below that lacks the outcome */
    CAUCUS_ALIVE_SET_HERE,   /* who has come, by what others say */
    CAUCUS_ALIVE_SET_ASKED,  /* whom I asked whether he was released */
    CAUCUS_ALIVE_SET_ASKING, /* who told me the outcome or that he has it, and may wait for a
                                release */
    CAUCUS_ALIVE_SET_VALUE,  /* of the proposal, and then of the outcome */
    CAUCUS_ALIVE_SET_HEARD,  /* of the message at hand, else empty */
    CAUCUS_ALIVE_SETS
};

struct caucus_alive_head {
    int32_t me;
    int32_t lock;   /* the root whose proposal I am bound to */
    int32_t ack_to; /* who brought it */
    int32_t told;   /* to whom I sent UP, or COM once decided */
    int32_t fin_to;
    int32_t timed; /* the root that the timers wait for */
    uint8_t called, acked, fresh, decided, released, late, fenced, unused;
    struct caucus_alive_name name;
    struct caucus_alive_outcome value;
};
_Static_assert(sizeof(struct caucus_alive_head) == 32 + 16 + 24, "no gaps in a state");

struct caucus_alive_machine {
    const struct caucus_alive_setup *setup;
    struct caucus_alive_head *own;
    uint64_t *set[CAUCUS_ALIVE_SETS];
    struct caucus_alive_tree tree;
    struct caucus_actions *actions;
};

/* actions may be NULL where nothing is done. */
struct caucus_alive_machine caucus_alive_machine_of(const void *setup, void *state,
                                                    struct caucus_actions *actions);

static inline bool caucus_alive_is_dead(const struct caucus_alive_machine *m, int32_t member) {
    return caucus_set_has(m->set[CAUCUS_ALIVE_SET_DEAD], member);
}

/* Messages: to is a member, or CAUCUS_ALIVE_NOBODY for the user, who gets an outcome. */
void caucus_alive_emit(const struct caucus_alive_machine *m, int32_t to,
                       const struct caucus_alive_message *message, const uint64_t *set);
void caucus_alive_send_plain(const struct caucus_alive_machine *m, int32_t to,
                             enum caucus_alive_kind kind, const uint64_t *set);
void caucus_alive_send_outcome(const struct caucus_alive_machine *m, int32_t to);
void caucus_alive_send_proposal(const struct caucus_alive_machine *m, int32_t to);

/* The value is what the root proposes, if it lives: nothing acknowledged so far counts. */
void caucus_alive_bind(struct caucus_alive_machine *m, int32_t root);

/* The value is an outcome; from brought it, or nobody. */
void caucus_alive_decide(struct caucus_alive_machine *m, int32_t from);

/* Nothing more is sent, and nothing is heard. */
void caucus_alive_fence(struct caucus_alive_machine *m, enum caucus_alive_code code);

/* An error is allowed where nobody can have a success, nor can get one. The set of the value is
 * whom it names. */
bool caucus_alive_may_fail(const struct caucus_alive_machine *m);
void caucus_alive_fail(struct caucus_alive_machine *m, enum caucus_alive_code code);

/* All that live have the outcome. Who is released keeps no more than what it takes to answer. */
void caucus_alive_release(struct caucus_alive_machine *m);

#ifdef __cplusplus
}
#endif

#endif
