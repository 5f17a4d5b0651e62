/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a member that survives, and what its files do for each other. */
#ifndef CAUCUS_PLAN_PROTOCOL_SURVIVAL_STATE_H
#define CAUCUS_PLAN_PROTOCOL_SURVIVAL_STATE_H

#include "plan/protocol/survival.h"

struct caucus_survival_state {
    int64_t me, view;
    int64_t agreeing;   /* 0 or 1: more are dead than in this view */
    int64_t caught;     /* 0 or 1: all that others had taken before this view was taken here */
    int64_t casts;      /* own, of all views */
    int64_t recast;     /* of these, cast in this view or before it */
    int64_t open_bytes; /* of those that are not stable */
    int64_t flushed;    /* own ones that all others have taken */
    int64_t stable;     /* of these, known to be taken by everybody */
    int64_t flushing;   /* how many the open flush is about, plus 1; 0: none */
    int64_t flush;      /* the same of the user's */
    int64_t turns;      /* messages taken, own casts included */
    int64_t quiets;     /* times that quiet was decided */
    int64_t wants;      /* 0, QUIESCE or CLOSE: what the user waits for, unless he was woken */
    int64_t quieting;   /* 0 or 1: he asked for quiet and has not been told of it */
    int64_t closed;     /* 0 or 1 */
    int64_t left;       /* 0 or 1 */
    int64_t asked;      /* the rank that is to give a message, plus 1; 0: none */
    int64_t early;      /* messages of this view, until caught, or of the next one */
    int64_t begun;      /* the turn of what is next to be taken, once a part of it was used */
    struct caucus_channel_message given; /* kind 0: nothing is there */
};

struct caucus_survival_early {
    int64_t from;
    struct caucus_channel_message message;
};

struct caucus_survival_member {
    const struct caucus_survival_setup *setup;
    int32_t ranks;
    struct caucus_survival_state *state;
    int64_t *taken;  /* of each rank */
    int64_t *told;   /* the same, when the last state was told */
    int64_t *others; /* what each rank told then: ranks times ranks */
    int64_t *quiets; /* of each rank, as it told */
    int64_t *turn;  /* of each rank's last `window` messages, by number modulo window: when taken */
    int64_t *total; /* of these: bytes */
    uint64_t *gone, *dead, *heard, *byes; /* sets: not in this view, known by now, told the same
                                             dead, gone for good */
    uint64_t *scratch;                    /* zero between steps */
    struct caucus_survival_early *early;
    void *channel; /* its state */
    struct caucus_actions *actions;
};

struct caucus_survival_member caucus_survival_member_of(const struct caucus_survival_setup *setup,
                                                        const void *state,
                                                        struct caucus_actions *actions);
int64_t caucus_survival_early_room(const struct caucus_survival_setup *setup);
static inline int64_t caucus_survival_place(const struct caucus_survival_member *member,
                                            int64_t rank, int64_t sequence) {
    return rank * member->setup->window + sequence % member->setup->window;
}

/* The first own cast that a new view lacks: what nobody has taken in a total order, else none. */
static inline int64_t caucus_survival_first_cast(const struct caucus_survival_member *member) {
    return member->setup->channel.total_order ? member->taken[member->state->me]
                                              : member->state->casts;
}

/* The channel of this view, its links having all the room. */
struct caucus_channel_setup caucus_survival_inner(const struct caucus_survival_member *member);
int32_t caucus_survival_rank_of(const struct caucus_survival_member *member, int32_t position);
int32_t caucus_survival_position_of(const struct caucus_survival_member *member, int32_t rank);

/* A step of this view's channel. */
void caucus_survival_pass(struct caucus_survival_member *member, const struct caucus_event *event);
void caucus_survival_call(struct caucus_survival_member *member, int64_t number,
                          const int64_t *bytes);
bool caucus_survival_inner_hears(const struct caucus_survival_member *member, int64_t number);

/* What a channel says to a channel of this view. */
void caucus_survival_hear(struct caucus_survival_member *member, int32_t peer,
                          const struct caucus_channel_message *message);

void caucus_survival_close(struct caucus_survival_member *member);

/* survival_view.c: more are dead; what others say. */
void caucus_survival_learn(struct caucus_survival_member *member, const uint64_t *dead);
void caucus_survival_hear_state(struct caucus_survival_member *member, int32_t peer,
                                const struct caucus_event *event);

/* Which it has, or will have once it has agreed with the others. */
int64_t caucus_survival_next_view(const struct caucus_survival_member *member);

/* survival_early.c: keeps what has come before its time; hears what was kept for this view; drops
 * what was kept for those before a view. */
void caucus_survival_keep_early(struct caucus_survival_member *member, int32_t peer,
                                const struct caucus_channel_message *message);
void caucus_survival_hear_early(struct caucus_survival_member *member);
void caucus_survival_drop_early(struct caucus_survival_member *member, int64_t view);

/* survival_catch.c */
void caucus_survival_want(struct caucus_survival_member *member);
void caucus_survival_give(struct caucus_survival_member *member, int32_t peer,
                          const struct caucus_event *event);
void caucus_survival_get(struct caucus_survival_member *member, int32_t peer,
                         const struct caucus_channel_message *message);

/* A message of n numbers of each rank, and the set if there is one. */
void caucus_survival_tell(struct caucus_survival_member *member, int32_t to, int32_t kind,
                          int64_t view, int64_t number, const int64_t *taken, const uint64_t *set);

#endif
