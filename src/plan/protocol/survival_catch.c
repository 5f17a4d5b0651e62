/* SPDX-License-Identifier: BSD-3-Clause */
/* Catching up: what others took in former views and this member did not, one message after the
 * other, from one member after the other, each in its own order. */
#include "plan/protocol/survival_state.h"

#include <string.h>

/* Whether a rank told that it had taken something that is missing here. */
static bool has_more(const struct caucus_survival_member *member, int32_t rank) {
    const int64_t *others = member->others + (int64_t)rank * member->ranks;
    for (int32_t origin = 0; origin < member->ranks; origin++)
        if (others[origin] > member->taken[origin])
            return true;
    return false;
}

/* Beginning behind itself, so that not all ask the same. */
void caucus_survival_want(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    if (state->agreeing || state->caught || state->asked || state->given.kind)
        return;
    for (int32_t i = 1; i < member->ranks; i++) {
        int32_t rank = (int32_t)((state->me + i) % member->ranks);
        if (caucus_set_has(member->gone, rank) || !has_more(member, rank))
            continue;
        state->asked = rank + 1;
        caucus_survival_tell(member, rank, CAUCUS_SURVIVAL_WANT, state->view, 0, member->taken,
                             NULL);
        return;
    }
    state->caught = 1;
    state->recast = caucus_survival_first_cast(member);
    memset(member->others, 0,
           (size_t)member->ranks * (size_t)member->ranks * sizeof *member->others);
    caucus_survival_hear_early(member);
}

/* Of what was taken when the state for this view was told, the first that the other one lacks. */
void caucus_survival_give(struct caucus_survival_member *member, int32_t peer,
                          const struct caucus_event *event) {
    struct caucus_channel_message message, gift = {.ticket = CAUCUS_CHANNEL_NO_TICKET, .total = -1};
    const unsigned char *bytes = event->bytes;
    int32_t ranks = member->ranks;
    if (event->length != (int64_t)sizeof message + ranks * (int64_t)sizeof(int64_t))
        return;
    memcpy(&message, bytes, sizeof message);
    int64_t view = caucus_survival_view_of(&message), best = 0;
    bool known = view == caucus_survival_next_view(member); /* which `told` is about */
    for (int32_t origin = 0; known && origin < ranks; origin++) {
        int64_t taken;
        memcpy(&taken, bytes + sizeof message + (size_t)origin * sizeof taken, sizeof taken);
        if (taken < 0 || taken >= member->told[origin] ||
            taken < member->told[origin] - member->setup->window)
            continue;
        int64_t place = caucus_survival_place(member, origin, taken);
        if (best && best < member->turn[place])
            continue;
        best = member->turn[place];
        gift.origin = origin;
        gift.sequence = taken;
        gift.total = member->total[place];
    }
    gift.kind = (int32_t)(CAUCUS_SURVIVAL_GIVE | view << CAUCUS_SURVIVAL_VIEW_SHIFT);
    gift.slot = CAUCUS_SURVIVAL_GIVEN;
    caucus_act_send(member->actions, peer, &gift, sizeof gift);
}

void caucus_survival_get(struct caucus_survival_member *member, int32_t peer,
                         const struct caucus_channel_message *message) {
    struct caucus_survival_state *state = member->state;
    if (state->agreeing || state->asked != peer + 1 ||
        caucus_survival_view_of(message) != state->view)
        return; /* of a view that has ended */
    state->asked = 0;
    if (message->total < 0 || message->origin < 0 || message->origin >= member->ranks ||
        message->sequence != member->taken[message->origin])
        return;
    state->given = *message;
    state->given.kind = CAUCUS_CHANNEL_DATA;
}
