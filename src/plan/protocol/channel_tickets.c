/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may send what has to be in the same order everywhere. Tickets are given at once, in the order
 * of requests: nobody waits for anything but the way to member 0 and back. While one
 * request is on its way, the next is for half as many tickets as there are credits, or more. */
#include "plan/protocol/channel_state.h"

#include <stddef.h>

/* The first own message without a ticket that has a slot, NULL where there is none. */
static struct caucus_channel_message *first_awaiting(const struct caucus_channel_member *member,
                                                     int64_t *number) {
    const struct caucus_channel_in *own = &member->in[member->state->sources];
    for (; *number < own->arrived; (*number)++) {
        struct caucus_channel_message *message =
            &caucus_channel_slot_at(member, member->state->sources, *number)->message;
        if (message->ticket == CAUCUS_CHANNEL_AWAITED)
            return message;
    }
    return NULL;
}

static void request(struct caucus_channel_member *member) {
    struct caucus_channel_state *state = member->state;
    int64_t number = member->in[state->sources].activated, count = -state->requested;
    for (; first_awaiting(member, &number); number++)
        count++;
    if (count <= 0 || (state->requested && count < member->setup->credits / 2))
        return;
    state->requested += count;
    if (state->me)
        caucus_channel_send(member, 0, CAUCUS_CHANNEL_REQUEST, (int64_t[4]){count});
    else
        caucus_channel_grant(member, caucus_channel_number(member, count), count);
}

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
    if (ordered)
        request(member);
}

int64_t caucus_channel_number(struct caucus_channel_member *member, int64_t count) {
    int64_t first = member->state->tickets;
    member->state->tickets += count;
    return first;
}

void caucus_channel_grant(struct caucus_channel_member *member, int64_t ticket, int64_t count) {
    struct caucus_channel_state *state = member->state;
    int64_t number = member->in[state->sources].activated;
    struct caucus_channel_message *message;
    if (count > state->requested)
        return; /* nobody has asked for so many */
    state->requested -= count;
    for (; count > 0 && (message = first_awaiting(member, &number)); count--) {
        message->ticket = ticket++;
        if (state->total && message->sequence == state->casts - 1)
            state->ticket = message->ticket;
    }
    request(member);
}
