/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel (channel.h) that goes on when members die. All members are known by their first
 * positions, here called ranks; a channel's protocol runs among those that live, which are counted
 * anew whenever somebody has died: that is a view, and its number is how many have died before.
 *
 * - Agreement: who learns of a death takes nothing more, and tells everybody else that lives whom
 *   it knows to be dead and how many messages of each rank it has taken. When it has heard the same
 *   dead from all others that live, they are a view. Any two such sets of dead contain one another,
 *   since who knows of a death was alive when the other was not.
 *
 * - Catching up: what a member lacks of what others have taken it asks of one after the other,
 *   message by message; each gives them in the order in which it took them itself. So what one has
 *   taken everybody takes, and in an order that all orders allow. Only then is anything taken that
 *   was cast in the new view.
 *
 * - Casting: what an own message is was settled by its cast: it is the next one of this rank. In a
 *   total order those that nobody had taken are cast again in the new view, first; otherwise all
 *   that were cast count as taken by their origin, and others catch up.
 *
 * - Retention: whoever took a message keeps it until everybody has: a member has at most `window`
 *   messages, and bytes, of which it does not know that. It learns that by flushes, one for every
 *   window / 2 casts. So the last `window` messages of every rank are what is kept.
 *
 * - The end: who knows that the channel is closed says so to all, and may go when all others that
 *   live have said it.
 *
 * What follows (docs/development/rootless.md says how far that was searched): survivors take the
 * same messages of everybody, living or dead, each once, in the channel's order; nothing that a
 * survivor cast is lost; whoever lives goes on. Messages of a dead rank that no survivor had taken
 * are lost everywhere. What must hold: deaths that are told are deaths.
 *
 * Calls are those of a channel without ASK and ANSWER; FLUSH decides ASK. Casts of more than memory
 * and a segment are not heard. In messages that are delivered, origin is a rank and sequence its
 * number of casts before, throughout. */
#ifndef CAUCUS_PLAN_PROTOCOL_SURVIVAL_H
#define CAUCUS_PLAN_PROTOCOL_SURVIVAL_H

#include "plan/protocol/channel.h"
#include "plan/protocol/member_set.h"

struct caucus_survival_setup {
    struct caucus_channel_setup channel; /* of the first view; later ones are finger trees. Its
                                            links have room for those of any view */
    int32_t window;                      /* at least 1 */
    int64_t bytes;                       /* of these messages, at most, or one message; 0: any */
};

/* Raises the numbers of links to what any view of this rank may need. */
int caucus_survival_make_room(struct caucus_channel_setup *channel, int32_t rank);

/* In place of a channel's kinds of messages, beyond those. All kinds stand in the lowest 8 bits;
 * above them is the view's number. */
enum caucus_survival_message_kind {
    CAUCUS_SURVIVAL_STATE = 32, /* number[0]: times that quiet was decided; then for each rank the
                                   messages taken, int64_t, and the set of the dead, 64 in a word */
    CAUCUS_SURVIVAL_WANT,       /* then the same numbers of each rank: give me one more */
    CAUCUS_SURVIVAL_GIVE,       /* a message as delivered, its payload; total -1: none */
    CAUCUS_SURVIVAL_BYE         /* the channel is closed */
};
enum { CAUCUS_SURVIVAL_KIND = 255, CAUCUS_SURVIVAL_VIEW_SHIFT = 8 };

static inline int32_t caucus_survival_kind(const struct caucus_channel_message *message) {
    return message->kind & CAUCUS_SURVIVAL_KIND;
}
static inline int64_t caucus_survival_view_of(const struct caucus_channel_message *message) {
    return message->kind >> CAUCUS_SURVIVAL_VIEW_SHIFT;
}

/* DECIDE, besides a channel's: a new view begins, all slots and own pieces are void; or this member
 * may go. */
enum { CAUCUS_SURVIVAL_VIEW = 32, CAUCUS_SURVIVAL_LEFT };

/* The slot of what was given, and of what is nowhere. */
enum { CAUCUS_SURVIVAL_GIVEN = -1 };

extern const struct caucus_protocol caucus_survival;

extern const struct caucus_channel_variant caucus_channel_surviving;
bool caucus_survival_peek(const void *setup, const void *state,
                          struct caucus_channel_message *message);

/* The present view: its number, its channel with the links that it has, and the rank of a member of
 * it. */
int64_t caucus_survival_view(const void *state);
void caucus_survival_channel(const struct caucus_survival_setup *setup, const void *state,
                             struct caucus_channel_setup *channel);
int32_t caucus_survival_rank(const struct caucus_survival_setup *setup, const void *state,
                             int32_t member);
bool caucus_survival_is_gone(const struct caucus_survival_setup *setup, const void *state,
                             int32_t rank);
/* Whether it has said its last word: credits that a runner holds must not leave after that. */
bool caucus_survival_is_closed(const void *state);
/* When a view begins: the first own cast, of all views, that is cast in it unless others give it.
 */
int64_t caucus_survival_first(const struct caucus_survival_setup *setup, const void *state);

#endif
