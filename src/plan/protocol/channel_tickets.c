/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may send what has to be in the same order everywhere. Tickets are given in the order of
 * requests, at once, or in a total order as the window has room, by turns: nobody waits for
 * anything but the way to member 0 and back, and for those who do not take. While one request is on
 * its way, the next is for half as many tickets as there are credits, or more. */
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
        caucus_channel_want(member, 0, count);
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

/* By member 0. */
static void give(struct caucus_channel_member *member, int32_t peer, int64_t count) {
    int64_t first = member->state->tickets;
    member->state->tickets += count;
    if (peer)
        caucus_channel_send(member, peer, CAUCUS_CHANNEL_GRANT, (int64_t[4]){first, count});
    else
        caucus_channel_grant(member, first, count);
}

void caucus_channel_want(struct caucus_channel_member *member, int32_t peer, int64_t count) {
    if (!member->setup->total_order) {
        give(member, peer, count);
    } else if (member->wanted[peer] + count <= member->setup->credits) {
        member->wanted[peer] += count;
        member->state->waiting += count;
    }
}

static bool give_in_window(struct caucus_channel_member *member) {
    struct caucus_channel_state *state = member->state;
    int64_t end = state->told_passed + member->setup->window;
    bool any = false;
    while (state->waiting > 0 && state->tickets < end) {
        int32_t peer = (int32_t)state->served;
        int64_t room = end - state->tickets;
        int64_t count = member->wanted[peer] < room ? member->wanted[peer] : room;
        state->served = (state->served + 1) % member->setup->overlay.ranks;
        if (!count)
            continue;
        member->wanted[peer] -= count;
        state->waiting -= count;
        give(member, peer, count);
        any |= !peer;
    }
    return any;
}

void caucus_channel_passed(struct caucus_channel_member *member, int32_t peer, int64_t tickets) {
    uint64_t child = caucus_channel_child(member->setup, member->state, peer);
    for (int64_t i = 0; member->setup->total_order && i < member->state->children; i++)
        if (child >> i & 1 && tickets > member->below[i])
            member->below[i] = tickets;
}

/* Told in multiples of a quarter of the window, so that no member holds back more than that. */
bool caucus_channel_turn_over(struct caucus_channel_member *member) {
    struct caucus_channel_state *state = member->state;
    if (!member->setup->total_order)
        return false;
    int64_t passed = state->passed;
    for (int64_t i = 0; i < state->children; i++)
        passed = member->below[i] < passed ? member->below[i] : passed;
    if (!state->me) {
        state->told_passed = passed;
        return give_in_window(member);
    }
    passed -= member->setup->window >= 8 ? passed % (member->setup->window / 4) : 0;
    if (passed > state->told_passed) {
        state->told_passed = passed;
        caucus_channel_send(member, state->parent, CAUCUS_CHANNEL_PASSED, (int64_t[4]){passed});
    }
    return false;
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
