/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts that are answered. The answers to a question climb the tree that it came down: a member
 * sends one message, when it has answered itself and has those of all below. */
#include "plan/protocol/channel_state.h"

#include <stddef.h>

/* All answers of a member are in. */
static void finish(struct caucus_channel_member *member, int64_t origin) {
    struct caucus_channel_state *state = member->state;
    if (origin == state->me) {
        state->asking = 0;
        caucus_act_decide(member->actions, CAUCUS_CHANNEL_ASK, NULL, 0);
        return;
    }
    caucus_channel_send(
        member, caucus_overlay_parent(&member->setup->overlay, (int32_t)state->me, (int32_t)origin),
        CAUCUS_CHANNEL_ANSWERED, (int64_t[4]){origin});
}

static void count(struct caucus_channel_member *member, int64_t origin) {
    if (--member->question[origin].awaited == 0)
        finish(member, origin);
}

void caucus_channel_pass_question(struct caucus_channel_member *member,
                                  const struct caucus_channel_message *message, int receivers) {
    bool own = message->origin == member->state->me;
    member->question[message->origin].awaited = (uint8_t)(receivers + (own ? 0 : 1));
    if (own && receivers == 0)
        finish(member, message->origin);
}

void caucus_channel_take_question(struct caucus_channel_member *member,
                                  const struct caucus_channel_message *message) {
    if (message->kind == CAUCUS_CHANNEL_DATA || message->origin == member->state->me)
        return;
    if (message->kind == CAUCUS_CHANNEL_FLUSHING)
        count(member, message->origin);
    else
        member->question[message->origin].due = 1;
}

void caucus_channel_answer(struct caucus_channel_member *member, int64_t origin) {
    member->question[origin].due = 0;
    count(member, origin);
}

void caucus_channel_answered(struct caucus_channel_member *member, int32_t peer, int64_t origin) {
    const struct caucus_overlay *overlay = &member->setup->overlay;
    int32_t me = (int32_t)member->state->me;
    if (origin >= 0 && origin < overlay->ranks && peer != origin &&
        member->question[origin].awaited > 0 &&
        caucus_overlay_parent(overlay, peer, (int32_t)origin) == me)
        count(member, origin);
}
