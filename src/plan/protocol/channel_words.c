/* SPDX-License-Identifier: BSD-3-Clause */
/* What a member waits for, told to people. */
#include "plan/protocol/channel_state.h"
#include "plan/protocol/sentences.h"

#include <stddef.h>

static bool is_wanted(const struct caucus_channel_member *member, int64_t rank) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    for (int64_t link = 0; link <= member->state->sources; link++)
        for (int64_t i = 0; i < member->setup->credits; i++) {
            const struct caucus_channel_slot *slot = caucus_channel_slot_at(member, link, i);
            int count = slot->pending ? caucus_overlay_forwards(&member->setup->overlay,
                                                                (int32_t)member->state->me,
                                                                (int32_t)member->in[link].rank,
                                                                slot->message.origin, to)
                                      : 0;
            for (int k = 0; k < count; k++)
                if (to[k] == rank && (slot->pending >> k & 1))
                    return true;
        }
    return false;
}

static int64_t count_pending(const struct caucus_channel_member *member) {
    int64_t count = 0;
    for (int64_t i = 0; i < caucus_channel_slots(member->setup); i++)
        count += member->slot[i].pending != 0;
    return count;
}

static void tell_room(const struct caucus_channel_member *member, struct caucus_sentences *words) {
    for (int64_t i = 0; i < member->state->targets; i++) {
        const struct caucus_channel_out *out = &member->out[i];
        if (out->sent - out->freed >= member->setup->credits && is_wanted(member, out->rank))
            caucus_sentences_name(words, out->rank);
    }
    const char *links = words->named > 1 ? "each link has" : "the link has";
    if (caucus_sentences_have(words, "made no room for another message: %s 0 of %d credits", links,
                              (int)member->setup->credits))
        caucus_sentences_tell(words, "%lld of %lld slots have messages that wait for links",
                              (long long)count_pending(member),
                              (long long)caucus_channel_slots(member->setup));
}

/* Turns that have not come: of own messages member 0 tells them, others come with the message. */
static void tell_turns(const struct caucus_channel_member *member, struct caucus_sentences *words) {
    const struct caucus_channel_state *state = member->state;
    bool asked = false, there = false;
    int64_t early = INT64_MAX; /* the lowest that is here before its turn */
    for (int64_t i = 0; i < caucus_channel_slots(member->setup); i++) {
        const struct caucus_channel_message *message = &member->slot[i].message;
        bool waits = caucus_channel_is_data(message->kind) && !member->slot[i].turn;
        asked |= waits && message->ticket == CAUCUS_CHANNEL_AWAITED;
        if (waits && message->ticket > state->next_ticket && message->ticket < early)
            early = message->ticket;
        there |= waits && message->ticket == state->next_ticket;
    }
    if (asked && state->me) {
        caucus_sentences_name(words, 0);
        caucus_sentences_have(words, "not told the turn of a message: %lld tickets are asked for",
                              (long long)state->requested);
    }
    if (early < INT64_MAX && !there)
        caucus_sentences_tell(words, "ticket %lld is here, its turn comes after %lld, which is not",
                              (long long)early, (long long)state->next_ticket);
}

/* No ticket is given while somebody has not taken what came long before. */
static void tell_window(const struct caucus_channel_member *member,
                        struct caucus_sentences *words) {
    const struct caucus_channel_state *state = member->state;
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    if (!member->setup->total_order || !state->waiting)
        return;
    int count = caucus_channel_below(member->setup, state, to);
    for (int i = 0; i < count; i++)
        if (member->below[i] <= state->told_passed)
            caucus_sentences_name(words, to[i]);
    if (caucus_sentences_have(
            words, "not taken what has come, or some of those that are reached through it"))
        caucus_sentences_tell(words,
                              "%lld tickets are given, %lld are taken by all, at most %lld may be "
                              "between, %lld more are asked for",
                              (long long)state->tickets, (long long)state->told_passed,
                              (long long)member->setup->window, (long long)state->waiting);
}

static void tell_answers(const struct caucus_channel_member *member,
                         struct caucus_sentences *words) {
    int32_t to[CAUCUS_OVERLAY_DEGREE], me = (int32_t)member->state->me;
    if (!member->question[me].awaited)
        return;
    int count = caucus_overlay_forwards(&member->setup->overlay, me, me, me, to);
    for (int i = 0; i < count; i++)
        caucus_sentences_name(words, to[i]);
    caucus_sentences_have(
        words, "not answered, or some of those that are reached through it: %d answers are missing",
        (int)member->question[me].awaited);
}

static void tell_rest(const struct caucus_channel_member *member, struct caucus_sentences *words) {
    const struct caucus_channel_state *state = member->state;
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    if (!state->resting)
        return;
    int count = caucus_channel_below(member->setup, state, to);
    uint64_t answered = state->confirming ? state->confirmed : state->reported;
    for (int i = 0; i < count; i++)
        if (!(answered >> i & 1))
            caucus_sentences_name(words, to[i]);
    bool others = words->named > 0;
    caucus_sentences_have(
        words, "not said that it waits for quiet, nor those whose messages come through it");
    if (others)
        return;
    if (state->me) {
        caucus_sentences_has(words, state->parent, "not told that all is quiet");
    } else {
        caucus_sentences_tell(
            words,
            "some ranks have not taken all messages: %lld casts were taken %lld times in all",
            (long long)state->sums.casts, (long long)state->sums.taken);
    }
}

void caucus_channel_explain(const void *setup, const void *state, char *text, int64_t size) {
    const struct caucus_channel_member member = caucus_channel_member_of(setup, state, NULL);
    struct caucus_sentences words = caucus_sentences_in(text, size);
    tell_room(&member, &words);
    tell_turns(&member, &words);
    tell_window(&member, &words);
    tell_answers(&member, &words);
    tell_rest(&member, &words);
    if (!words.used)
        caucus_sentences_tell(&words, "nothing came from the other ranks");
}
