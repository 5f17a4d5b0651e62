/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may send what has to be in the same order everywhere. Tickets are given at once, in the order
 * of requests: nobody waits for anything but the way to member 0 and back. */
#include "plan/protocol/channel_state.h"

static const int64_t nothing[4];

void caucus_channel_cast(struct caucus_channel_member *member, int32_t kind, int64_t total) {
    struct caucus_channel_state *state = member->state;
    bool pieces = total > member->setup->segment;
    bool ordered = pieces || member->setup->total_order;
    state->casts++;
    caucus_channel_enter(member, kind, total, 0,
                         ordered ? CAUCUS_CHANNEL_AWAITED : CAUCUS_CHANNEL_NO_TICKET);
    if (pieces) {
        state->total = total;
        state->kind = kind;
        state->entered = member->setup->segment;
        state->ticket = CAUCUS_CHANNEL_AWAITED;
    }
    if (ordered && state->me)
        caucus_channel_send(member, 0, CAUCUS_CHANNEL_REQUEST, nothing);
    else if (ordered)
        caucus_channel_grant(member, state->tickets++);
}

/* Requests are answered in order: the first that waits gets it. */
void caucus_channel_grant(struct caucus_channel_member *member, int64_t ticket) {
    struct caucus_channel_state *state = member->state;
    const struct caucus_channel_in *own = &member->in[state->sources];
    for (int64_t number = own->activated; number < own->arrived; number++) {
        struct caucus_channel_message *message =
            &caucus_channel_slot_at(member, state->sources, number)->message;
        if (message->ticket != CAUCUS_CHANNEL_AWAITED)
            continue;
        message->ticket = ticket;
        if (state->total && message->sequence == state->casts - 1)
            state->ticket = ticket;
        return;
    }
}
