/* SPDX-License-Identifier: BSD-3-Clause */
/* What a member waits for, told to people. */
#include "plan/protocol/channel_state.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_NAMED = 8 };

struct words {
    char *text;
    int64_t size, used, ranks[MOST_NAMED];
    int named;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format,
                                                      ...) {
    va_list arguments;
    if (words->used >= words->size)
        return;
    va_start(arguments, format);
    words->used += vsnprintf(words->text + words->used, (size_t)(words->size - words->used), format,
                             arguments);
    va_end(arguments);
}

/* One more of those that the next sentence is about. */
static void name(struct words *words, int64_t rank) {
    if (words->named < MOST_NAMED)
        words->ranks[words->named] = rank;
    words->named++;
}

/* "; ranks 3, 4 and 7 have ..." */
static void finish(struct words *words, const char *what) {
    int shown = words->named < MOST_NAMED ? words->named : MOST_NAMED;
    for (int i = 0; i < shown; i++) {
        const char *before = i == 0 ? "" : i + 1 < words->named ? ", " : " and ";
        if (i == 0)
            add(words, "%s%s ", words->used ? "; " : "", words->named == 1 ? "rank" : "ranks");
        add(words, "%s%lld", before, (long long)words->ranks[i]);
    }
    if (words->named)
        add(words, "%s %s %s", shown < words->named ? " and others" : "",
            words->named == 1 ? "has" : "have", what);
    words->named = 0;
}

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

static void tell_room(const struct caucus_channel_member *member, struct words *words) {
    for (int64_t i = 0; i < member->state->targets; i++) {
        const struct caucus_channel_out *out = &member->out[i];
        if (out->sent - out->freed >= member->setup->credits && is_wanted(member, out->rank))
            name(words, out->rank);
    }
    finish(words, "made no room for another message");
}

/* Turns that have not come: of own messages member 0 tells them, others come with the message. */
static void tell_turns(const struct caucus_channel_member *member, struct words *words) {
    const struct caucus_channel_state *state = member->state;
    bool asked = false, early = false, there = false;
    for (int64_t i = 0; i < caucus_channel_slots(member->setup); i++) {
        const struct caucus_channel_message *message = &member->slot[i].message;
        bool waits = caucus_channel_is_data(message->kind) && !member->slot[i].turn;
        asked |= waits && message->ticket == CAUCUS_CHANNEL_AWAITED;
        early |= waits && message->ticket > state->next_ticket;
        there |= waits && message->ticket == state->next_ticket;
    }
    if (asked && state->me) {
        name(words, 0);
        finish(words, "not told the turn of a message");
    }
    if (early && !there)
        add(words, "%smessage number %lld of those that come in one order everywhere is missing",
            words->used ? "; " : "", (long long)state->next_ticket);
}

/* No ticket is given while somebody has not taken what came long before. */
static void tell_window(const struct caucus_channel_member *member, struct words *words) {
    const struct caucus_channel_state *state = member->state;
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    if (!member->setup->total_order || !state->waiting)
        return;
    int count = caucus_overlay_forwards(&member->setup->overlay, 0, 0, 0, to);
    for (int i = 0; i < count; i++)
        if (member->below[i] <= state->told_passed)
            name(words, to[i]);
    finish(words, "not taken what has come, or some of those that are reached through it");
}

static void tell_answers(const struct caucus_channel_member *member, struct words *words) {
    int32_t to[CAUCUS_OVERLAY_DEGREE], me = (int32_t)member->state->me;
    if (!member->question[me].awaited)
        return;
    int count = caucus_overlay_forwards(&member->setup->overlay, me, me, me, to);
    for (int i = 0; i < count; i++)
        name(words, to[i]);
    finish(words, "not answered, or some of those that are reached through it");
}

static void tell_rest(const struct caucus_channel_member *member, struct words *words) {
    const struct caucus_channel_state *state = member->state;
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    if (!state->resting)
        return;
    int count = caucus_overlay_forwards(&member->setup->overlay, (int32_t)state->me,
                                        (int32_t)state->parent, 0, to);
    uint64_t answered = state->confirming ? state->confirmed : state->reported;
    for (int i = 0; i < count; i++)
        if (!(answered >> i & 1))
            name(words, to[i]);
    bool others = words->named > 0;
    finish(words, "not said that it waits for quiet, nor those whose messages come through it");
    if (others)
        return;
    if (state->me) {
        name(words, state->parent);
        finish(words, "not told that all is quiet");
    } else {
        add(words, "%ssome ranks have not taken all messages", words->used ? "; " : "");
    }
}

void caucus_channel_explain(const struct caucus_channel_setup *setup, const void *state, char *text,
                            int64_t size) {
    const struct caucus_channel_member member =
        caucus_channel_member_of(setup, (void *)(uintptr_t)state, NULL);
    struct words words = {.text = text, .size = size};
    *text = 0;
    tell_room(&member, &words);
    tell_turns(&member, &words);
    tell_window(&member, &words);
    tell_answers(&member, &words);
    tell_rest(&member, &words);
    if (!words.used)
        add(&words, "nothing came from the other ranks");
}
