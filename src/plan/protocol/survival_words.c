/* SPDX-License-Identifier: BSD-3-Clause */
/* What a runner asks a member that survives, and who is who in a view. */
#include "plan/protocol/channel_state.h"
#include "plan/protocol/survival_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t caucus_survival_rank_of(const struct caucus_survival_member *member, int32_t position) {
    int32_t rank = 0;
    if (!member->state->view)
        return position;
    for (;; rank++)
        if (!caucus_set_has(member->gone, rank) && position-- == 0)
            return rank;
}

int32_t caucus_survival_position_of(const struct caucus_survival_member *member, int32_t rank) {
    int32_t before = 0;
    for (int32_t i = 0; i < rank / 64; i++)
        before += __builtin_popcountll(member->gone[i]);
    uint64_t below = ((uint64_t)1 << (rank % 64)) - 1;
    return rank - before - __builtin_popcountll(member->gone[rank / 64] & below);
}

struct caucus_channel_setup caucus_survival_inner(const struct caucus_survival_member *member) {
    struct caucus_channel_setup inner = member->setup->channel;
    if (member->state->view) {
        inner.overlay.kind = &caucus_overlay_finger;
        inner.overlay.nodes = NULL;
        inner.overlay.ranks -= (int32_t)member->state->view;
    }
    return inner;
}

/* Of a finger tree over up to so many: one link for each power of two, both ways if it is shared.
 */
int caucus_survival_make_room(struct caucus_channel_setup *channel, int32_t rank) {
    int32_t *list, count, dimensions = 0;
    int status = caucus_overlay_sources(&channel->overlay, rank, &count, &list);
    free(list);
    if (status)
        return status;
    while ((int64_t)1 << dimensions < channel->overlay.ranks)
        dimensions++;
    dimensions++;
    channel->sources = count > dimensions ? count : dimensions;
    status = caucus_overlay_targets(&channel->overlay, rank, &count, &list);
    free(list);
    channel->targets = count > dimensions ? count : dimensions;
    return status;
}

bool caucus_survival_peek(const void *setup, const void *state,
                          struct caucus_channel_message *message) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    struct caucus_channel_setup inner = caucus_survival_inner(&member);
    if (member.state->agreeing)
        return false;
    if (!member.state->caught) {
        *message = member.state->given;
        return message->kind != 0;
    }
    if (!caucus_channel_peek(&inner, member.channel, message))
        return false;
    message->origin = caucus_survival_rank_of(&member, message->origin);
    message->sequence = member.taken[message->origin];
    return true;
}

static bool has_links(const void *setup, const void *state) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    struct caucus_channel_setup inner = caucus_survival_inner(&member);
    return caucus_channel_has_links(&inner, member.channel);
}

static bool rests(const void *setup, const void *state) {
    const struct caucus_survival_state *own = state;
    (void)setup;
    return own->wants != 0 || own->closed;
}

int64_t caucus_survival_view(const void *state) {
    return ((const struct caucus_survival_state *)state)->view;
}

bool caucus_survival_is_closed(const void *state) {
    return ((const struct caucus_survival_state *)state)->closed != 0;
}

int64_t caucus_survival_first(const struct caucus_survival_setup *setup, const void *state) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    return caucus_survival_first_cast(&member);
}

void caucus_survival_channel(const struct caucus_survival_setup *setup, const void *state,
                             struct caucus_channel_setup *channel) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    *channel = caucus_survival_inner(&member);
    const struct caucus_channel_state *own = member.channel;
    channel->sources = (int32_t)own->sources;
    channel->targets = (int32_t)own->targets;
}

int32_t caucus_survival_rank(const struct caucus_survival_setup *setup, const void *state,
                             int32_t position) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    return caucus_survival_rank_of(&member, position);
}

bool caucus_survival_is_gone(const struct caucus_survival_setup *setup, const void *state,
                             int32_t rank) {
    return caucus_set_has(caucus_survival_member_of(setup, state, NULL).gone, rank);
}

/* The first of those that have not said something, in words. */
static bool tell_first(const struct caucus_survival_member *member, const uint64_t *said,
                       const char *what, char *text, int64_t size) {
    for (int32_t rank = 0; rank < member->ranks; rank++)
        if (rank != member->state->me && !caucus_set_has(member->dead, rank) &&
            !caucus_set_has(said, rank)) {
            snprintf(text, (size_t)size, "rank %d has not said %s", (int)rank, what);
            return true;
        }
    return false;
}

static void explain(const void *setup, const void *state, char *text, int64_t size) {
    struct caucus_survival_member member = caucus_survival_member_of(setup, state, NULL);
    struct caucus_channel_setup inner = caucus_survival_inner(&member);
    int used = 0;
    *text = 0;
    if (member.state->closed &&
        tell_first(&member, member.byes, "that the channel is closed", text, size))
        return;
    if (member.state->agreeing &&
        tell_first(&member, member.heard, "what it has got, after a death", text, size))
        return;
    if (member.state->asked) {
        snprintf(text, (size_t)size, "rank %lld has not given a message that others have got",
                 (long long)member.state->asked - 1);
        return;
    }
    if (member.state->view)
        used = snprintf(text, (size_t)size, "of those that live, counted from 0: ");
    if (used < size)
        caucus_channel_explain(&inner, member.channel, text + used, size - used);
}

const struct caucus_channel_variant caucus_channel_surviving = {.protocol = &caucus_survival,
                                                                .has_links = has_links,
                                                                .peek = caucus_survival_peek,
                                                                .rests = rests,
                                                                .explain = explain};
