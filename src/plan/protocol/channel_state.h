/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a channel's member, and what its files do for each other. All counts only grow. */
#ifndef CAUCUS_PLAN_PROTOCOL_CHANNEL_STATE_H
#define CAUCUS_PLAN_PROTOCOL_CHANNEL_STATE_H

#include "plan/protocol/channel.h"

struct caucus_channel_in {
    int64_t rank;
    int64_t arrived;   /* messages; the slot of number i is i modulo the credits */
    int64_t activated; /* of these, those that had their turn */
    int64_t freed;
    int64_t returned; /* credits, to the sender */
};

struct caucus_channel_out {
    int64_t rank;
    int64_t sent, freed; /* freed: as the receiver says */
};

struct caucus_channel_slot {
    struct caucus_channel_message message;
    int64_t turn;     /* 1 for the first message that was activated here; 0: not yet; of a link's,
                         CAUCUS_CHANNEL_KEPT: it has its turn elsewhere */
    uint64_t pending; /* bit i: the i-th of those it is forwarded to has not got it yet */
    int64_t later;    /* while pending: the next such slot in the order of turns, plus 1 */
};

enum { CAUCUS_CHANNEL_KEPT = -1 };

/* A member's part in the open question of an origin. */
struct caucus_channel_question {
    uint8_t awaited; /* answers: of those below, and its own */
    uint8_t due;     /* 1: taken, and not answered by the user */
};

struct caucus_channel_state {
    int64_t me, sources, targets;
    int64_t unlinked;                    /* 0 or 1: there was no memory for its links */
    int64_t casts, taken;                /* messages of this member, and what it has got */
    int64_t turns;                       /* messages activated */
    int64_t consumed;                    /* of these, taken by the user or not meant for him */
    int64_t first_pending, last_pending; /* slots in the order of turns, plus 1; 0: none */
    int64_t next_ticket;                 /* which has its turn */
    int64_t tickets;                     /* given, by member 0 */
    int64_t passed, told_passed;         /* of a total order: taken here; by all below, as told to
                                            the parent, at member 0 by all */
    int64_t waiting, served;             /* member 0: tickets asked for and not given; by whom it
                                            goes on */
    int64_t requested;                   /* tickets that it waits for */

    /* The own message in pieces that has not got slots for all of them. */
    int64_t total, entered; /* total 0: there is none */
    int64_t kind, ticket;

    int64_t asking;                   /* 0 or 1 */
    int64_t resting, closing, closed; /* 0 or 1 */
    int64_t children, parent;         /* in the tree of origin 0 */
    struct caucus_channel_sums told;  /* of the own ones, what went into the sums */
    struct caucus_channel_sums sums;  /* not yet sent up; at member 0 those of all */
    struct caucus_channel_sums asked; /* member 0: which are being confirmed */
    uint64_t reported, confirmed;     /* children that did, as bits in their order */
    int64_t confirming;               /* 0 or 1 */
};

/* A member with all its parts. */
struct caucus_channel_member {
    const struct caucus_channel_setup *setup;
    struct caucus_channel_state *state;
    struct caucus_channel_in *in; /* sources + 1, own casts last */
    struct caucus_channel_out *out;
    struct caucus_channel_slot *slot; /* credits for each of in, and of a total order the window */
    int64_t *untaken; /* as many: the slot, plus 1, of turn t of (consumed, turns] at t modulo that
                         number */
    int64_t *below;   /* of a total order, for each child: tickets passed by all below it */
    int64_t *wanted;  /* of a total order, of each member: tickets asked for and not given */
    struct caucus_channel_question *question; /* of each origin */
    struct caucus_actions *actions;
};

/* actions may be NULL where nothing is written to the state. */
struct caucus_channel_member caucus_channel_member_of(const struct caucus_channel_setup *setup,
                                                      const void *state,
                                                      struct caucus_actions *actions);
/* Whom it forwards to in the tree of origin 0: its children. */
int caucus_channel_below(const struct caucus_channel_setup *setup,
                         const struct caucus_channel_state *state,
                         int32_t to[CAUCUS_OVERLAY_DEGREE]);

static inline struct caucus_channel_slot *
caucus_channel_slot_at(const struct caucus_channel_member *member, int64_t link, int64_t number) {
    int64_t credits = member->setup->credits;
    return &member->slot[link * credits + number % credits];
}

/* Slots of links, and those of the window behind them. */
static inline int64_t caucus_channel_link_slots(const struct caucus_channel_setup *setup) {
    return ((int64_t)setup->sources + 1) * setup->credits;
}
static inline int64_t caucus_channel_slots(const struct caucus_channel_setup *setup) {
    return caucus_channel_link_slots(setup) + (setup->total_order ? setup->window : 0);
}

static inline bool caucus_channel_has_room(const struct caucus_channel_member *member) {
    const struct caucus_channel_in *own = &member->in[member->state->sources];
    return own->arrived - own->freed < member->setup->credits;
}

void caucus_channel_send(struct caucus_channel_member *member, int64_t peer, int32_t kind,
                         const int64_t number[4]);

/* The slot whose turn is next to be taken; NULL: none. */
struct caucus_channel_slot *caucus_channel_next(const struct caucus_channel_member *member);
/* It was taken. */
void caucus_channel_pass(struct caucus_channel_member *member);

/* Puts a message into the next slot of a link, which has room. */
void caucus_channel_fill(struct caucus_channel_member *member, int64_t link,
                         const struct caucus_channel_message *message);
/* A piece of the last own message into a slot of its own. */
void caucus_channel_enter(struct caucus_channel_member *member, int32_t kind, int64_t total,
                          int64_t offset, int64_t ticket);
/* The place of a ticket in the window. */
struct caucus_channel_slot *caucus_channel_place(const struct caucus_channel_member *member,
                                                 int64_t ticket);
/* Activates, sends, consumes and frees whatever can be; credited: since the last time links have
 * got credits. */
void caucus_channel_flow(struct caucus_channel_member *member, bool credited);

void caucus_channel_cast(struct caucus_channel_member *member, int32_t kind, int64_t total);
/* A question goes on to so many others. */
void caucus_channel_pass_question(struct caucus_channel_member *member,
                                  const struct caucus_channel_message *message, int receivers);
/* It was taken; FLUSHING is answered by that. */
void caucus_channel_take_question(struct caucus_channel_member *member,
                                  const struct caucus_channel_message *message);
/* One answer more: by the user, or by all below a child. */
void caucus_channel_answer(struct caucus_channel_member *member, int64_t origin);
void caucus_channel_answered(struct caucus_channel_member *member, int32_t peer, int64_t origin);
/* Tickets, from the first on. */
void caucus_channel_grant(struct caucus_channel_member *member, int64_t ticket, int64_t count);

/* So many tickets more are asked for by a member. */
void caucus_channel_want(struct caucus_channel_member *member, int32_t peer, int64_t count);
/* All below a child have passed so many. */
void caucus_channel_passed(struct caucus_channel_member *member, int32_t peer, int64_t tickets);
/* Tells what is passed, and gives tickets; whether this member has got any. */
bool caucus_channel_turn_over(struct caucus_channel_member *member);

void caucus_channel_add(struct caucus_channel_sums *sums, const struct caucus_channel_sums *more);
/* Reports, confirms and decides whatever can be. */
void caucus_channel_settle(struct caucus_channel_member *member);
/* Child number i being bit i; 0 for who is none. */
uint64_t caucus_channel_child(const struct caucus_channel_setup *setup,
                              const struct caucus_channel_state *state, int32_t rank);
static inline uint64_t caucus_channel_children(const struct caucus_channel_state *state) {
    return state->children ? ~(uint64_t)0 >> (64 - state->children) : 0;
}
void caucus_channel_confirm(struct caucus_channel_member *member);
void caucus_channel_decide(struct caucus_channel_member *member, int64_t call);

#endif
