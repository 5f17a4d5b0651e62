/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement on who lives and on what was taken, and the beginning of a view. */
#include "plan/protocol/survival_state.h"

#include <stddef.h>
#include <string.h>

static int64_t count(const uint64_t *set, int32_t ranks) {
    int64_t all = 0;
    for (int64_t i = 0; i < caucus_set_words(ranks); i++)
        all += __builtin_popcountll(set[i]);
    return all;
}

static bool same(const uint64_t *a, const uint64_t *b, int32_t ranks) {
    return memcmp(a, b, (size_t)caucus_set_words(ranks) * sizeof *a) == 0;
}

int64_t caucus_survival_next_view(const struct caucus_survival_member *member) {
    return count(member->dead, member->ranks);
}

void caucus_survival_tell(struct caucus_survival_member *member, int32_t to, int32_t kind,
                          int64_t view, int64_t number, const int64_t *taken, const uint64_t *set) {
    struct caucus_actions *actions = member->actions;
    struct caucus_channel_message message = {
        .kind = (int32_t)(kind | view << CAUCUS_SURVIVAL_VIEW_SHIFT)};
    unsigned char bytes[sizeof message];
    int64_t numbers = taken ? member->ranks * (int64_t)sizeof *taken : 0,
            words = set ? caucus_set_words(member->ranks) * (int64_t)sizeof *set : 0;
    message.number[0] = number;
    memcpy(bytes, &message, sizeof message);
    int64_t first = actions->count;
    caucus_act_send(actions, to, bytes, sizeof message);
    /* The rest follows its head in the list's bytes. */
    if (numbers)
        caucus_act_send(actions, to, taken, numbers);
    if (words)
        caucus_act_send(actions, to, set, words);
    if (actions->status)
        return;
    actions->action[first].length += numbers + words;
    actions->count = first + 1;
}

/* What others had been told: this member waits for it too, unless it closes; it may have been woken
 * by what they cast afterwards. */
static void hear_of_quiet(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    int64_t before = state->quiets;
    for (int32_t rank = 0; rank < member->ranks; rank++)
        if (member->quiets[rank] > state->quiets)
            state->quiets = member->quiets[rank];
    if (state->quiets == before || !state->quieting)
        return;
    state->quieting = 0;
    state->wants = 0;
    caucus_act_decide(member->actions, CAUCUS_CHANNEL_QUIESCE, NULL, 0);
}

/* All that others had taken is known: a view begins. */
static void install(struct caucus_survival_member *member) {
    struct caucus_survival_state *state = member->state;
    int32_t ranks = member->ranks;
    memcpy(member->gone, member->dead, (size_t)caucus_set_words(ranks) * sizeof *member->gone);
    state->view = count(member->gone, ranks);
    state->agreeing = 0;
    state->caught = 0;
    struct caucus_channel_setup inner = caucus_survival_inner(member);
    memset(member->channel, 0, (size_t)caucus_channel_protocol.state_bytes(&inner));
    caucus_channel_protocol.begin(&inner, caucus_survival_position_of(member, (int32_t)state->me),
                                  member->channel);
    caucus_act_decide(member->actions, CAUCUS_SURVIVAL_VIEW, NULL, 0);
    hear_of_quiet(member);
}

static void agree(struct caucus_survival_member *member) {
    for (int32_t rank = 0; rank < member->ranks; rank++)
        if (!caucus_set_has(member->dead, rank) && !caucus_set_has(member->heard, rank))
            return;
    install(member);
}

void caucus_survival_learn(struct caucus_survival_member *member, const uint64_t *dead) {
    struct caucus_survival_state *state = member->state;
    int32_t ranks = member->ranks;
    int64_t before = count(member->dead, ranks);
    caucus_set_join(member->dead, dead, ranks);
    if (count(member->dead, ranks) == before || state->closed)
        return;
    state->agreeing = 1;
    state->asked = 0;
    state->begun = 0;
    state->flushing = 0;
    caucus_survival_drop_early(member, caucus_survival_next_view(member));
    memset(&state->given, 0, sizeof state->given);
    memcpy(member->told, member->taken, (size_t)ranks * sizeof *member->told);
    memset(member->others, 0, (size_t)ranks * (size_t)ranks * sizeof *member->others);
    memset(member->quiets, 0, (size_t)ranks * sizeof *member->quiets);
    caucus_set_clear(member->heard, ranks);
    caucus_set_add(member->heard, (int32_t)state->me);
    for (int32_t rank = 0; rank < ranks; rank++)
        if (rank != state->me && !caucus_set_has(member->dead, rank))
            caucus_survival_tell(member, rank, CAUCUS_SURVIVAL_STATE, count(member->dead, ranks),
                                 state->quiets, member->told, member->dead);
    agree(member);
}

void caucus_survival_hear_state(struct caucus_survival_member *member, int32_t peer,
                                const struct caucus_event *event) {
    const unsigned char *bytes = event->bytes;
    struct caucus_channel_message message;
    int32_t ranks = member->ranks;
    int64_t numbers = ranks * (int64_t)sizeof(int64_t);
    int64_t words = caucus_set_words(ranks);
    if (event->length != (int64_t)sizeof message + numbers + words * (int64_t)sizeof(uint64_t))
        return;
    memcpy(&message, bytes, sizeof message);
    uint64_t *told = member->scratch;
    memcpy(told, bytes + sizeof message + numbers, (size_t)words * sizeof *told);
    bool names_others = ranks % 64 && told[words - 1] >> ranks % 64; /* who are no members */
    if (names_others || caucus_set_has(told, (int32_t)member->state->me)) {
        caucus_set_clear(told, ranks);
        return;
    }
    caucus_survival_learn(member, told);
    bool equal = same(told, member->dead, ranks);
    caucus_set_clear(told, ranks);
    if (!equal || member->state->closed || !member->state->agreeing)
        return;
    memcpy(member->others + (int64_t)peer * ranks, bytes + sizeof message, (size_t)numbers);
    member->quiets[peer] = message.number[0];
    caucus_set_add(member->heard, peer);
    agree(member);
}
