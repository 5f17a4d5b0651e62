/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes for a view before its channel runs here: until it has begun, and this member has
 * caught up. Nobody is in a later view than the next one here, since this member would have had to
 * tell its state for it. In that one others hear nothing of this member, so each link brings as
 * many messages as it has credits, and each member few besides, if its reports count as one. */
#include "plan/protocol/channel_state.h"
#include "plan/protocol/survival_state.h"

#include "base/status.h"

#include <string.h>

int64_t caucus_survival_early_room(const struct caucus_survival_setup *setup) {
    return (int64_t)setup->channel.sources * setup->channel.credits +
           12 * (int64_t)setup->channel.overlay.ranks;
}

/* One who reports whatever it takes does so any number of times, but sums add up. */
static bool adds_to_earlier(struct caucus_survival_member *member, int32_t peer,
                            const struct caucus_channel_message *message) {
    if (caucus_survival_kind(message) != CAUCUS_CHANNEL_REPORT)
        return false;
    for (int64_t i = 0; i < member->state->early; i++) {
        struct caucus_survival_early *at = &member->early[i];
        if (at->from != peer || at->message.kind != message->kind)
            continue;
        caucus_channel_add(&at->message.sums, &message->sums);
        return true;
    }
    return false;
}

void caucus_survival_keep_early(struct caucus_survival_member *member, int32_t peer,
                                const struct caucus_channel_message *message) {
    struct caucus_survival_state *state = member->state;
    if (adds_to_earlier(member, peer, message))
        return;
    if (state->early < caucus_survival_early_room(member->setup))
        member->early[state->early++] = (struct caucus_survival_early){peer, *message};
    else
        member->actions->status =
            caucus_fail(CAUCUS_INTERNAL, "rank %d sent more for view %lld than there is room for",
                        (int)peer, (long long)caucus_survival_view_of(message));
}

void caucus_survival_hear_early(struct caucus_survival_member *member) {
    int64_t view = member->state->view;
    for (int64_t i = 0; i < member->state->early; i++) {
        const struct caucus_survival_early *at = &member->early[i];
        if (caucus_survival_view_of(&at->message) == view &&
            !caucus_set_has(member->gone, (int32_t)at->from))
            caucus_survival_hear(member, (int32_t)at->from, &at->message);
    }
    caucus_survival_drop_early(member, view + 1);
}

void caucus_survival_drop_early(struct caucus_survival_member *member, int64_t view) {
    struct caucus_survival_state *state = member->state;
    int64_t left = 0;
    for (int64_t i = 0; i < state->early; i++)
        if (caucus_survival_view_of(&member->early[i].message) >= view)
            member->early[left++] = member->early[i];
    memset(&member->early[left], 0, (size_t)(state->early - left) * sizeof *member->early);
    state->early = left;
}
