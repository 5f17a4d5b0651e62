/* SPDX-License-Identifier: BSD-3-Clause */
/* What answers events instead of following a fixed plan: a pure function from a state and an event
 * to a state and actions. It sends nothing itself, reads no clock and holds no address, so that one
 * search (tests/plan/protocol_search.hpp) can go through every order of events, and one runner can
 * carry it out over MPI.
 *
 * Members are positions 0 to n - 1; what n is, and who is where, is the protocol's setup. The state
 * of one member is a block of bytes of a size that the setup fixes, without pointers, and zero
 * where nothing was written: equal states are equal bytes (no padding may be left undefined, so
 * change fields, never assign a structure that has gaps). Whoever runs it may copy it, compare it
 * and go back to it.
 *
 * A setup is the caller's, constant, and lives as long as the state. Nothing here is thread-safe
 * for one state; different states are independent. */
#ifndef CAUCUS_PLAN_PROTOCOL_PROTOCOL_H
#define CAUCUS_PLAN_PROTOCOL_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum caucus_event_kind {
    CAUCUS_EVENT_CALL,    /* the user calls; number says what, bytes are what he hands over */
    CAUCUS_EVENT_MESSAGE, /* bytes came from peer */
    CAUCUS_EVENT_TIMER,   /* timer `number` ran out; it is not set any more */
    CAUCUS_EVENT_DEATH,   /* peer is dead, for certain; told at most once. What it had sent may
                             still arrive afterwards */
    CAUCUS_EVENT_KINDS
};

struct caucus_event {
    enum caucus_event_kind kind;
    int32_t peer;      /* MESSAGE, DEATH */
    int64_t number;    /* CALL, TIMER */
    const void *bytes; /* CALL, MESSAGE; valid for this step alone */
    int64_t length;
};

enum caucus_action_kind {
    CAUCUS_ACTION_SEND,    /* bytes to peer. Never waits: the runner owns a copy. Between two
                              members messages keep their order, and come once, unless the medium
                              that the protocol is made for says otherwise */
    CAUCUS_ACTION_DELIVER, /* bytes that came from peer are handed to the user */
    CAUCUS_ACTION_TIMER,   /* timer `number` (0 to 2) runs out after `after` nanoseconds; it is set
                              anew if it is set. Negative: it is not set any more */
    CAUCUS_ACTION_DECIDE,  /* what the user waits for is there: number and bytes are the outcome */
    CAUCUS_ACTION_KINDS
};

struct caucus_action {
    enum caucus_action_kind kind;
    int32_t peer;
    int64_t number;
    int64_t after;
    int64_t offset, length; /* of its bytes, in the list's */
};

/* What one step asks for, to be carried out in this order. Starts as all zero, and is kept from
 * step to step so that nothing is allocated in the long run. */
struct caucus_actions {
    int64_t count, room;
    struct caucus_action *action;
    int64_t used, size;
    unsigned char *bytes;
    int status; /* CAUCUS_NO_MEMORY: some are missing, and the state is worth nothing */
};

void caucus_actions_clear(struct caucus_actions *actions);
void caucus_actions_free(struct caucus_actions *actions);
static inline const void *caucus_action_bytes(const struct caucus_actions *actions, int64_t i) {
    return actions->bytes ? actions->bytes + actions->action[i].offset : (const void *)"";
}

/* For protocols. bytes are copied; none where length is 0. */
void caucus_act_send(struct caucus_actions *actions, int32_t peer, const void *bytes,
                     int64_t length);
void caucus_act_deliver(struct caucus_actions *actions, int32_t peer, const void *bytes,
                        int64_t length);
void caucus_act_timer(struct caucus_actions *actions, int64_t number, int64_t after);
void caucus_act_decide(struct caucus_actions *actions, int64_t number, const void *bytes,
                       int64_t length);

struct caucus_protocol {
    const char *name;

    /* Bytes of a member's state, a multiple of 8. */
    int64_t (*state_bytes)(const void *setup);

    /* state is aligned to 8 bytes and all zero. Nothing is sent before the first event. */
    void (*begin)(const void *setup, int32_t me, void *state);

    /* Bytes from another member may be anything: what makes no sense is dropped. */
    void (*step)(const void *setup, void *state, const struct caucus_event *event,
                 struct caucus_actions *actions);

    /* Whether the user may make such a CALL now; NULL: any. Runners bring all other events as they
     * come. A search may also hold back a MESSAGE or a DEATH by it, in order with what follows on
     * its way, as a runner would that received from those alone who are expected: for these it may
     * look at peer alone. */
    bool (*hears)(const void *setup, const void *state, const struct caucus_event *event);

    /* For people: a message in words, cut at size. NULL: it is shown as numbers. */
    void (*describe)(const void *bytes, int64_t length, char *text, int64_t size);
};

#endif
