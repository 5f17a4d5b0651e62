/* SPDX-License-Identifier: BSD-3-Clause */
/* From slots to links and to the user. */
#include "plan/protocol/channel_state.h"

#include <stddef.h>
#include <string.h>

static int64_t *untaken(const struct caucus_channel_member *member, int64_t turn) {
    return &member->untaken[turn % caucus_channel_slots(member->setup)];
}

struct caucus_channel_slot *caucus_channel_place(const struct caucus_channel_member *member,
                                                 int64_t ticket) {
    return &member->slot[caucus_channel_link_slots(member->setup) + ticket % member->setup->window];
}

static bool is_own(const struct caucus_channel_member *member,
                   const struct caucus_channel_slot *slot) {
    return slot->message.origin == member->state->me;
}

void caucus_channel_fill(struct caucus_channel_member *member, int64_t link,
                         const struct caucus_channel_message *message) {
    struct caucus_channel_slot *slot =
        caucus_channel_slot_at(member, link, member->in[link].arrived++);
    slot->message = *message;
    slot->message.slot = slot - member->slot;
}

void caucus_channel_enter(struct caucus_channel_member *member, int32_t kind, int64_t total,
                          int64_t offset, int64_t ticket) {
    struct caucus_channel_message message = {.kind = kind,
                                             .origin = (int32_t)member->state->me,
                                             .sequence = member->state->casts - 1,
                                             .ticket = ticket,
                                             .total = total,
                                             .offset = offset};
    caucus_channel_fill(member, member->state->sources, &message);
}

/* Slots for further pieces of the own message, once its ticket is known. */
static bool enter_pieces(struct caucus_channel_member *member) {
    struct caucus_channel_state *state = member->state;
    bool any = false;
    while (state->total && state->ticket >= 0 && caucus_channel_has_room(member)) {
        caucus_channel_enter(member, (int32_t)state->kind, state->total, state->entered,
                             state->ticket);
        state->entered += member->setup->segment;
        if (state->entered >= state->total)
            state->total = state->entered = state->ticket = state->kind = 0;
        any = true;
    }
    return any;
}

static int receivers(const struct caucus_channel_member *member, int64_t link,
                     const struct caucus_channel_slot *slot, int32_t *to) {
    return caucus_overlay_forwards(&member->setup->overlay, (int32_t)member->state->me,
                                   (int32_t)member->in[link].rank, slot->message.origin, to);
}

/* The last of those that wait for links. */
static void append(struct caucus_channel_member *member, const struct caucus_channel_slot *slot) {
    struct caucus_channel_state *state = member->state;
    int64_t index = slot - member->slot + 1;
    *(state->last_pending ? &member->slot[state->last_pending - 1].later : &state->first_pending) =
        index;
    state->last_pending = index;
}

static void give_turn(struct caucus_channel_member *member, struct caucus_channel_slot *slot) {
    struct caucus_channel_state *state = member->state;
    slot->turn = ++state->turns;
    *untaken(member, slot->turn) = slot - member->slot + 1;
    if (slot->message.ticket != CAUCUS_CHANNEL_NO_TICKET &&
        caucus_channel_is_last(member->setup, &slot->message))
        state->next_ticket++;
}

/* Of kept ones. */
static bool give_turns(struct caucus_channel_member *member) {
    bool any = false;
    while (member->setup->total_order) {
        struct caucus_channel_slot *slot = caucus_channel_place(member, member->state->next_ticket);
        if (!slot->message.kind || slot->turn)
            break;
        give_turn(member, slot);
        any = true;
    }
    return any;
}

static bool activate(struct caucus_channel_member *member, int64_t link) {
    struct caucus_channel_state *state = member->state;
    struct caucus_channel_in *in = &member->in[link];
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    bool any = false;
    for (; in->activated < in->arrived; in->activated++, any = true) {
        struct caucus_channel_slot *slot = caucus_channel_slot_at(member, link, in->activated);
        bool keeps = caucus_channel_keeps(member->setup, &slot->message);
        if (slot->message.ticket != CAUCUS_CHANNEL_NO_TICKET && !keeps &&
            slot->message.ticket != state->next_ticket)
            break;
        if (keeps) {
            caucus_channel_place(member, slot->message.ticket)->message = slot->message;
            slot->turn = CAUCUS_CHANNEL_KEPT;
        } else {
            give_turn(member, slot);
        }
        int count = receivers(member, link, slot, to);
        slot->pending = ((uint64_t)1 << count) - 1;
        if (slot->pending)
            append(member, slot);
        if (slot->message.kind != CAUCUS_CHANNEL_DATA && slot->message.offset == 0)
            caucus_channel_pass_question(member, &slot->message, count);
    }
    return any;
}

static struct caucus_channel_out *link_to(const struct caucus_channel_member *member,
                                          int64_t rank) {
    int64_t first = 0, end = member->state->targets; /* ascending */
    while (end - first > 1) {
        int64_t middle = (first + end) / 2;
        *(member->out[middle].rank <= rank ? &first : &end) = middle;
    }
    return &member->out[first];
}

static bool forward(struct caucus_channel_member *member, int64_t link,
                    struct caucus_channel_slot *slot) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    int count = receivers(member, link, slot, to);
    bool any = false;
    for (int i = 0; i < count; i++) {
        struct caucus_channel_out *out = link_to(member, to[i]);
        if (!(slot->pending >> i & 1) || out->sent - out->freed >= member->setup->credits)
            continue;
        caucus_act_send(member->actions, to[i], &slot->message, sizeof slot->message);
        out->sent++;
        slot->pending &= ~((uint64_t)1 << i);
        any = true;
    }
    return any;
}

/* In the order of turns, so that no message overtakes another on a link. Those up to a slot, plus
 * 1, are not looked at. */
static bool forward_after(struct caucus_channel_member *member, int64_t last) {
    struct caucus_channel_state *state = member->state;
    int64_t *place = last ? &member->slot[last - 1].later : &state->first_pending;
    bool any = false;
    while (*place) {
        int64_t index = *place - 1;
        struct caucus_channel_slot *slot = &member->slot[index];
        any |= forward(member, index / member->setup->credits, slot);
        if (slot->pending) {
            last = *place;
            place = &slot->later;
        } else {
            *place = slot->later;
            slot->later = 0;
        }
    }
    state->last_pending = last;
    return any;
}

struct caucus_channel_slot *caucus_channel_next(const struct caucus_channel_member *member) {
    int64_t index = *untaken(member, member->state->consumed + 1);
    return index ? &member->slot[index - 1] : NULL;
}

void caucus_channel_pass(struct caucus_channel_member *member) {
    struct caucus_channel_slot *slot = caucus_channel_next(member);
    if (member->setup->total_order && caucus_channel_is_last(member->setup, &slot->message))
        member->state->passed = slot->message.ticket + 1;
    *untaken(member, ++member->state->consumed) = 0;
    if (slot - member->slot >= caucus_channel_link_slots(member->setup))
        memset(slot, 0, sizeof *slot);
}

/* What needs no user: own messages, unless members hear themselves, and pieces to put together. */
static bool consume(struct caucus_channel_member *member) {
    struct caucus_channel_slot *slot = caucus_channel_next(member);
    if (!slot)
        return false;
    if (slot->message.kind == CAUCUS_CHANNEL_FLUSHING) {
        member->state->taken += !is_own(member, slot) || member->setup->total_order;
        caucus_channel_take_question(member, &slot->message);
        caucus_channel_pass(member);
        return true;
    }
    bool silent = is_own(member, slot) && !member->setup->total_order;
    if (!silent && (caucus_channel_is_last(member->setup, &slot->message) ||
                    !caucus_channel_assembles(member->setup, &slot->message)))
        return false;
    if (!silent)
        caucus_act_deliver(member->actions, slot->message.origin, &slot->message,
                           sizeof slot->message);
    caucus_channel_pass(member);
    return true;
}

static bool release(struct caucus_channel_member *member, int64_t link) {
    struct caucus_channel_in *in = &member->in[link];
    int64_t before = in->freed;
    int64_t batch = member->setup->credits / 2 > 1 ? member->setup->credits / 2 : 1;
    for (; in->freed < in->activated; in->freed++) {
        struct caucus_channel_slot *slot = caucus_channel_slot_at(member, link, in->freed);
        if (slot->pending || slot->turn > member->state->consumed)
            break;
        memset(slot, 0, sizeof *slot);
    }
    if (link < member->state->sources && in->freed - in->returned >= batch) {
        in->returned = in->freed;
        caucus_channel_send(member, in->rank, CAUCUS_CHANNEL_CREDIT, (int64_t[4]){in->freed});
    }
    return in->freed > before;
}

/* What has waited for a link goes on waiting while no credit comes. */
void caucus_channel_flow(struct caucus_channel_member *member, bool credited) {
    int64_t last = credited ? 0 : member->state->last_pending;
    for (bool any = true; any;) {
        any = enter_pieces(member);
        for (int64_t link = 0; link <= member->state->sources; link++)
            any |= activate(member, link);
        any |= give_turns(member);
        any |= forward_after(member, last);
        last = member->state->last_pending;
        while (consume(member))
            any = true;
        for (int64_t link = 0; link <= member->state->sources; link++)
            any |= release(member, link);
        any |= caucus_channel_turn_over(member);
    }
}
