/* SPDX-License-Identifier: BSD-3-Clause */
/* When everything was said and heard: the four-counter method (Mattern, Distributed Computing 2,
 * 1987) without waves that find nothing out. Sums climb the tree of origin 0 whenever they change;
 * when as many messages were taken as should be, one wave asks everybody to report what it has. If
 * that changes nothing, then nothing was under way when it began. */
#include "plan/protocol/channel_state.h"

#include <string.h>

static const int64_t nothing[4];

/* A faulty member may report any numbers: they wrap. */
static int64_t plus(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void caucus_channel_add(struct caucus_channel_sums *sums, const struct caucus_channel_sums *more) {
    sums->resting = plus(sums->resting, more->resting);
    sums->closed = plus(sums->closed, more->closed);
    sums->casts = plus(sums->casts, more->casts);
    sums->taken = plus(sums->taken, more->taken);
}

static bool same(const struct caucus_channel_sums *a, const struct caucus_channel_sums *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

int caucus_channel_below(const struct caucus_channel_setup *setup,
                         const struct caucus_channel_state *state,
                         int32_t to[CAUCUS_OVERLAY_DEGREE]) {
    return caucus_overlay_forwards(&setup->overlay, (int32_t)state->me, (int32_t)state->parent, 0,
                                   to);
}

static void to_children(struct caucus_channel_member *member, int32_t kind,
                        const int64_t number[4]) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    int count = caucus_channel_below(member->setup, member->state, to);
    for (int i = 0; i < count; i++)
        caucus_channel_send(member, to[i], kind, number);
}

uint64_t caucus_channel_child(const struct caucus_channel_setup *setup,
                              const struct caucus_channel_state *state, int32_t rank) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    int count = caucus_channel_below(setup, state, to);
    for (int i = 0; i < count; i++)
        if (to[i] == rank)
            return (uint64_t)1 << i;
    return 0;
}

/* What this member has, and its children have told, once it rests and all of them have reported. */
static void report(struct caucus_channel_member *member) {
    static const struct caucus_channel_sums none;
    struct caucus_channel_state *state = member->state;
    struct caucus_channel_sums own = {1 - state->told.resting, state->closing - state->told.closed,
                                      state->casts - state->told.casts,
                                      state->taken - state->told.taken};
    caucus_channel_add(&state->told, &own);
    caucus_channel_add(&state->sums, &own);
    if (!state->me || same(&state->sums, &none))
        return;
    caucus_channel_send(member, state->parent, CAUCUS_CHANNEL_REPORT,
                        (int64_t[4]){state->sums.resting, state->sums.closed, state->sums.casts,
                                     state->sums.taken});
    state->sums = none;
}

/* How many members take a cast. */
static int64_t hearers(const struct caucus_channel_setup *setup) {
    return setup->overlay.ranks - (setup->total_order ? 0 : 1);
}

static bool agrees(const struct caucus_channel_member *member) {
    const struct caucus_channel_sums *sums = &member->state->sums;
    return (uint64_t)sums->casts * (uint64_t)hearers(member->setup) == (uint64_t)sums->taken;
}

void caucus_channel_confirm(struct caucus_channel_member *member) {
    member->state->confirming = 1;
    to_children(member, CAUCUS_CHANNEL_CONFIRM, nothing);
}

void caucus_channel_decide(struct caucus_channel_member *member, int64_t call) {
    struct caucus_channel_state *state = member->state;
    to_children(member, CAUCUS_CHANNEL_DECISION, (int64_t[4]){call});
    state->told.resting = state->told.closed = 0;
    state->reported = 0;
    state->sums.resting = state->sums.closed = 0;
    if (call == CAUCUS_CHANNEL_CLOSE)
        state->closed = 1;
    if (call == CAUCUS_CHANNEL_CLOSE || !state->closing)
        caucus_act_decide(member->actions, call, NULL, 0);
    if (!state->closing)
        state->resting = 0;
}

/* Waiting for the reports of all below, and for the user to take what is there, spares messages:
 * the sums would soon change. That all rest is seen to by the confirmation. */
void caucus_channel_settle(struct caucus_channel_member *member) {
    struct caucus_channel_state *state = member->state;
    while (state->resting && !state->closed && state->reported == caucus_channel_children(state) &&
           !caucus_channel_next(member)) {
        report(member);
        if (!state->confirming) {
            if (state->me || !agrees(member))
                return;
            state->asked = state->sums;
            caucus_channel_confirm(member);
        }
        if (state->confirmed != caucus_channel_children(state))
            return;
        state->confirming = 0;
        state->confirmed = 0;
        if (state->me) {
            caucus_channel_send(member, state->parent, CAUCUS_CHANNEL_CONFIRMED, nothing);
            return;
        }
        if (same(&state->asked, &state->sums))
            caucus_channel_decide(member, state->sums.closed == member->setup->overlay.ranks
                                              ? CAUCUS_CHANNEL_CLOSE
                                              : CAUCUS_CHANNEL_QUIESCE);
    }
}
