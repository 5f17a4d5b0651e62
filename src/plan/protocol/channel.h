/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel: any member casts at any time, and every other hears it exactly once, in the order of
 * its origin. The protocol sees headers alone; whoever runs it keeps the payloads, in slots that
 * the protocol counts.
 *
 *   credits     A link (overlay.h) has as many slots at its receiver as it has credits; a slot is
 *               free again when its message was forwarded to all and taken by the user. Own casts
 *               have as many. So memory is bounded, and who does not take makes casters wait.
 *   pieces      What is longer than a segment travels in pieces, cut through, one slot each.
 *   tickets     Member 0 numbers the messages in pieces, and in a channel of total order all.
 *               Everybody forwards messages in pieces in the order of numbers. So there is one
 *               being put together at a time, on every member the same one next, and the buffer
 *               reserved for it cannot block one that others wait for.
 *   activation  A message has its turn at a member when it came, or when its ticket comes up. Links
 *               out and the user get messages in the order of their turns: with a shared tree
 *               (overlay.h) that is a causal order.
 *   window      In a total order a message in one piece goes on at once, whatever its ticket. It is
 *               kept in the place of its ticket, outside the slots of links, until the user takes
 *               it in its turn. Members tell up the tree of origin 0 how many tickets they have
 *               passed; no ticket is given that is not within a window of those passed by all.
 *   questions   A cast may ask for answers. They climb its tree, combined on the way: each member
 *               sends one when it and all below have answered.
 *   rest        Sums of casts and of messages taken climb the tree of origin 0 while members rest.
 *               When they agree, one more wave makes sure that nothing has changed meanwhile.
 *
 * Why it cannot block: what waits for a credit keeps a slot of a higher class than the one it waits
 * for; and the lowest ticket that is not yet forwarded everywhere waits for smaller classes only,
 * since no link carries a higher ticket in pieces before it, and those in one piece need nothing
 * but links. Messages besides those with data need no credits: at most a few of a link are on their
 * way at any time.
 *
 * docs/development/rootless.md tells what a runner does. */
#ifndef CAUCUS_PLAN_PROTOCOL_CHANNEL_H
#define CAUCUS_PLAN_PROTOCOL_CHANNEL_H

#include "plan/overlay/overlay.h"
#include "plan/protocol/protocol.h"

struct caucus_channel_setup {
    struct caucus_overlay overlay;
    int32_t sources, targets; /* room for links: at least what the member has */
    int32_t credits;          /* of every link, at least 1 */
    bool total_order;         /* then members hear themselves too */
    int64_t segment;          /* the most bytes of a piece, at least 1 */
    int64_t memory; /* the longest message put together; longer ones are taken in pieces */
    int64_t window; /* of a total order: tickets that not all have passed, at least 1 */
};

/* A member's calls. Each is made when it is heard: a cast that is not is told to come again. */
enum caucus_channel_call {
    CAUCUS_CHANNEL_CAST,    /* bytes: its length, int64_t. Not while an earlier one has no room */
    CAUCUS_CHANNEL_TAKE,    /* heard if something is there: delivers a message or piece */
    CAUCUS_CHANNEL_QUIESCE, /* by all; decides QUIESCE when every cast was taken by everybody and
                               nobody has taken anything since its call, or has called again */
    CAUCUS_CHANNEL_CLOSE,   /* by all; decides CLOSE when everything was taken. Taking goes on */
    CAUCUS_CHANNEL_ASK,     /* a cast that all others answer, by one member at a time or by many;
                               decides ASK when all have, and so have taken all that it cast before.
                               Nobody has two such open */
    CAUCUS_CHANNEL_FLUSH,   /* the same with 0 bytes that no user sees, answered without him */
    CAUCUS_CHANNEL_ANSWER,  /* bytes: an origin, int64_t, whose question was taken */
    CAUCUS_CHANNEL_WAKE     /* heard if TAKE is: a part of what is there has been used, and may be
                               answered by casts before the rest is taken */
};

enum caucus_channel_message_kind {
    CAUCUS_CHANNEL_DATA = 1,
    CAUCUS_CHANNEL_CREDIT,  /* number[0]: slots of the link that were freed in all */
    CAUCUS_CHANNEL_REQUEST, /* to member 0: number[0] tickets */
    CAUCUS_CHANNEL_GRANT,   /* number[0]: the first of them, number[1]: how many */
    CAUCUS_CHANNEL_REPORT,  /* to the parent: sums, since the last */
    CAUCUS_CHANNEL_CONFIRM, /* to children: report what you have, then answer */
    CAUCUS_CHANNEL_CONFIRMED,
    CAUCUS_CHANNEL_DECISION, /* number[0]: the call that it ends */
    CAUCUS_CHANNEL_QUESTION, /* data, too */
    CAUCUS_CHANNEL_FLUSHING, /* data, too */
    CAUCUS_CHANNEL_ANSWERED, /* to the parent in the tree of origin number[0]: by all below */
    CAUCUS_CHANNEL_PASSED    /* to the parent: number[0] tickets, by all below */
};

static inline bool caucus_channel_is_data(int32_t kind) {
    return kind == CAUCUS_CHANNEL_DATA || kind == CAUCUS_CHANNEL_QUESTION ||
           kind == CAUCUS_CHANNEL_FLUSHING;
}

/* Of all below a member, or of the changes of these. */
struct caucus_channel_sums {
    int64_t resting, closed, casts, taken;
};

/* What travels, is delivered, and stands before the payload of DATA. */
struct caucus_channel_message {
    int32_t kind, origin;
    int64_t slot; /* DATA, in actions: where the payload lies: the link in the order of sources, own
                     casts being the last, times credits, plus the number of the message on this
                     link modulo credits. May have been freed by the same step. One that is kept
                     lies in the place of its ticket too, until it is taken */
    union {
        struct {
            int64_t sequence; /* of the origin's casts, from 0 */
            int64_t ticket;   /* CAUCUS_CHANNEL_NO_TICKET for most */
            int64_t total;    /* bytes of the whole message */
            int64_t offset;   /* of this piece */
        };
        int64_t number[4];
        struct caucus_channel_sums sums;
    };
};

enum { CAUCUS_CHANNEL_NO_TICKET = -1, CAUCUS_CHANNEL_AWAITED = -2 };

extern const struct caucus_protocol caucus_channel_protocol;

/* The piece of a message that starts at an offset. */
int64_t caucus_channel_piece(const struct caucus_channel_setup *setup,
                             const struct caucus_channel_message *message);
static inline bool caucus_channel_is_last(const struct caucus_channel_setup *setup,
                                          const struct caucus_channel_message *message) {
    return message->total - message->offset <= setup->segment;
}
/* The longest message that is handed over whole. */
static inline int64_t caucus_channel_longest_whole(const struct caucus_channel_setup *setup) {
    return setup->memory > setup->segment ? setup->memory : setup->segment;
}
/* Whether the message is put together before it is taken, its pieces being delivered at once. */
static inline bool caucus_channel_assembles(const struct caucus_channel_setup *setup,
                                            const struct caucus_channel_message *message) {
    return message->total > setup->segment && message->total <= setup->memory;
}

/* Whether it is kept until its turn, in place number ticket modulo window, from its arrival until
 * it is taken; an own one, from when it is sent or taken. */
static inline bool caucus_channel_keeps(const struct caucus_channel_setup *setup,
                                        const struct caucus_channel_message *message) {
    return setup->total_order && message->ticket >= 0 && message->total <= setup->segment;
}

/* A protocol of channels, with its setup: this one, or that which survives deaths (survival.h). */
struct caucus_channel_variant {
    const struct caucus_protocol *protocol;

    /* Whether it has all links of its overlay: begin has none where there is no memory for them. */
    bool (*has_links)(const void *setup, const void *state);

    /* What the next TAKE delivers; false if nothing is there. Its slot keeps until then. */
    bool (*peek)(const void *setup, const void *state, struct caucus_channel_message *message);

    /* Whether it waits for QUIESCE or CLOSE to be decided, so that it hears no cast. */
    bool (*rests)(const void *setup, const void *state);

    /* Whom it waits for and for what, in words: "rank 3 has made no room for messages"; for people
     * who wonder why nothing goes on. */
    void (*explain)(const void *setup, const void *state, char *text, int64_t size);
};

extern const struct caucus_channel_variant caucus_channel_plain;

bool caucus_channel_has_links(const void *setup, const void *state);
bool caucus_channel_peek(const void *setup, const void *state,
                         struct caucus_channel_message *message);
void caucus_channel_explain(const void *setup, const void *state, char *text, int64_t size);

#endif
