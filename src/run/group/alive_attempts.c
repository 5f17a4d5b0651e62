/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/member_set.h"
#include "run/group/alive_room.h"
#include "run/waits.h"

#include <stdlib.h>
#include <string.h>

static const double NEVER = 1e300;
enum { WORDS = 600, SHORT_MESSAGE = 64 }; /* an answer or an objection */

static struct caucus_table_key turn_key(const struct caucus_alive_key *key) {
    return (struct caucus_table_key){key->list, (uint64_t)key->topic};
}

static bool is_same_call(const struct caucus_alive_key *a, const struct caucus_alive_key *b) {
    return a->topic == b->topic && a->list == b->list && a->turn == b->turn;
}

static void free_attempt(struct caucus_alive_attempt *attempt) {
    caucus_members_free(&attempt->members);
    free(attempt->state);
    free(attempt->heard);
    free(attempt->named);
    free(attempt);
}

static void forget(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt) {
    struct caucus_alive_attempt **at = &room->attempts;
    while (*at != attempt)
        at = &(*at)->next;
    *at = attempt->next;
    if (attempt->owes)
        caucus_service_owe(-1);
    free_attempt(attempt);
}

/* A slot that others may yet take for a group's is not used again: they hold a proposal of this
 * member's, whose own outcome is another. */
static void settle_slot(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt) {
    bool own = attempt->outcome.code == CAUCUS_ALIVE_SUCCESS &&
               attempt->outcome.fixed_by ==
                   caucus_members_position(&attempt->members, room->hub->attachment->rank);
    if (attempt->slot >= 0 && !own && !caucus_alive_has_proposed(attempt->state))
        caucus_group_slots_give(&room->hub->slots, attempt->slot);
    attempt->slot = -1;
}

static void decide(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                   const struct caucus_action *action, const void *bytes) {
    if (action->number == CAUCUS_ALIVE_RELEASED) {
        attempt->released = true;
        return;
    }
    if (!caucus_alive_outcome_read(bytes, action->length, attempt->setup.members, &attempt->outcome,
                                   attempt->named))
        attempt->status = caucus_fail(CAUCUS_INTERNAL, "an outcome that can't be read");
    attempt->decided = true;
    settle_slot(room, attempt);
    if (attempt->outcome.code == CAUCUS_ALIVE_EXCLUDED ||
        attempt->outcome.code == CAUCUS_ALIVE_IN_DOUBT) { /* deaf and dumb from now on */
        attempt->owes = false;
        caucus_service_owe(-1);
    }
}

static void step(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                 const struct caucus_event *event) {
    struct caucus_actions *actions = &room->actions;
    caucus_actions_clear(actions);
    caucus_alive.step(&attempt->setup, attempt->state, event, actions);
    int status = actions->status;
    for (int64_t i = 0; i < actions->count && !status; i++) {
        const struct caucus_action *action = &actions->action[i];
        const void *bytes = caucus_action_bytes(actions, i);
        if (action->kind == CAUCUS_ACTION_SEND)
            status = caucus_alive_send(room, caucus_members_rank(&attempt->members, action->peer),
                                       &attempt->key, bytes, action->length);
        else if (action->kind == CAUCUS_ACTION_TIMER)
            attempt->due[action->number] =
                action->after < 0 ? NEVER : PMPI_Wtime() + (double)action->after * 1e-9;
        else if (action->kind == CAUCUS_ACTION_DECIDE)
            decide(room, attempt, action, bytes);
    }
    if (status && !attempt->status)
        attempt->status = status;
}

static void hear(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                 const struct caucus_alive_letter *letter) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                 .peer = caucus_members_position(&attempt->members, letter->rank),
                                 .bytes = letter->bytes,
                                 .length = letter->length};
    if (event.peer < 0)
        return;
    caucus_set_add(attempt->heard, event.peer);
    step(room, attempt, &event);
}

/* Of a call that this rank has made there is a record until it was released. */
static bool is_over(struct caucus_alive_room *room, const struct caucus_alive_key *key) {
    const int64_t *turn = caucus_table_find(&room->turns, turn_key(key));
    return turn && key->turn < *turn;
}

static void answer(struct caucus_alive_room *room, const struct caucus_alive_letter *letter) {
    unsigned char bytes[SHORT_MESSAGE];
    int64_t length = caucus_alive_answer(letter->bytes, letter->length, bytes);
    if (length > 0)
        caucus_alive_send(room, letter->rank, &letter->key, bytes, length);
}

void caucus_alive_take(struct caucus_alive_room *room, struct caucus_alive_letter *letter) {
    struct caucus_alive_attempt *attempt = room->attempts;
    while (attempt && !is_same_call(&attempt->key, &letter->key))
        attempt = attempt->next;
    if (!attempt && !is_over(room, &letter->key)) {
        *room->held_last = letter;
        room->held_last = &letter->next;
        return;
    }
    if (attempt)
        hear(room, attempt, letter);
    else
        answer(room, letter);
    free(letter);
}

static void take_held(struct caucus_alive_room *room) {
    struct caucus_alive_letter *letter = room->held;
    room->held = NULL;
    room->held_last = &room->held;
    while (letter) {
        struct caucus_alive_letter *next = letter->next;
        letter->next = NULL;
        caucus_alive_take(room, letter);
        letter = next;
    }
}

void caucus_alive_tell_death(struct caucus_alive_room *room, int rank) {
    for (struct caucus_alive_attempt *at = room->attempts; at; at = at->next) {
        struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH,
                                     .peer = caucus_members_position(&at->members, rank)};
        if (event.peer >= 0)
            step(room, at, &event);
    }
}

/* Who is a member and has sent nothing but letters of another list, for long. */
static bool differs(const struct caucus_alive_attempt *attempt,
                    const struct caucus_alive_letter *letter, double now) {
    int32_t position = caucus_members_position(&attempt->members, letter->rank);
    return position >= 0 && !letter->objected && !caucus_set_has(attempt->heard, position) &&
           letter->key.topic == attempt->key.topic && letter->key.list != attempt->key.list &&
           now - letter->since >= attempt->patience;
}

static void object_to_other_lists(struct caucus_alive_room *room,
                                  struct caucus_alive_attempt *attempt, double now) {
    const struct caucus_event object = {.kind = CAUCUS_EVENT_CALL, .number = CAUCUS_ALIVE_OBJECT};
    unsigned char bytes[SHORT_MESSAGE];
    for (struct caucus_alive_letter *at = room->held; at && !attempt->decided; at = at->next) {
        if (!differs(attempt, at, now))
            continue;
        step(room, attempt, &object);
        if (!attempt->decided)
            continue; /* not allowed yet, or any more */
        at->objected = true;
        caucus_alive_send(room, at->rank, &at->key, bytes, caucus_alive_objection(bytes));
    }
}

void caucus_alive_look_at_clock(struct caucus_alive_room *room, double now) {
    struct caucus_alive_attempt *next;
    for (struct caucus_alive_attempt *at = room->attempts; at; at = next) {
        next = at->next;
        for (int timer = 0; timer < CAUCUS_ALIVE_TIMERS; timer++) {
            const struct caucus_event event = {.kind = CAUCUS_EVENT_TIMER, .number = timer};
            if (now < at->due[timer])
                continue;
            at->due[timer] = NEVER;
            step(room, at, &event);
        }
        if (!at->decided)
            object_to_other_lists(room, at, now);
        if ((at->released || at->status) && !at->has_caller)
            forget(room, at);
    }
}

static int describe(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                    double timeout) {
    double most = (double)INT64_MAX / 4e9;
    attempt->setup = (struct caucus_alive_setup){
        .members = attempt->members.count,
        .timeout = (int64_t)((timeout < most ? timeout : most) * 1e9) + 1,
        .detects = room->hub->deaths.told,
        .hears_all = true,
    };
    attempt->patience = timeout / 4 < 1 ? timeout / 4 : 1;
    for (int i = 0; i < CAUCUS_ALIVE_TIMERS; i++)
        attempt->due[i] = NEVER;
    int64_t words = caucus_set_words(attempt->setup.members);
    attempt->state = caucus_array(caucus_alive.state_bytes(&attempt->setup), 1);
    attempt->heard = caucus_array(words, sizeof *attempt->heard);
    attempt->named = caucus_array(words, sizeof *attempt->named);
    if (!attempt->state || !attempt->heard || !attempt->named)
        return CAUCUS_NO_MEMORY;
    caucus_alive.begin(&attempt->setup,
                       caucus_members_position(&attempt->members, room->hub->attachment->rank),
                       attempt->state);
    return CAUCUS_OK;
}

static int count_turn(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                      int64_t topic) {
    attempt->key.topic = topic;
    attempt->key.list = caucus_members_hash(&attempt->members);
    int64_t *turn = caucus_table_at(&room->turns, turn_key(&attempt->key));
    if (!turn)
        return CAUCUS_NO_MEMORY;
    attempt->slot = -1;
    int status = caucus_group_slots_take(&room->hub->slots, &attempt->slot);
    if (!status)
        attempt->key.turn = (*turn)++;
    return status;
}

static void call(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                 bool objects) {
    const struct caucus_event object = {.kind = CAUCUS_EVENT_CALL, .number = CAUCUS_ALIVE_OBJECT};
    const struct caucus_alive_name name = {
        (uint64_t)room->generation++ << 32 | (uint32_t)attempt->slot, room->nonce};
    const struct caucus_event begin = {.kind = CAUCUS_EVENT_CALL,
                                       .number = CAUCUS_ALIVE_BEGIN,
                                       .bytes = &name,
                                       .length = sizeof name};
    for (int i = 0; i < room->deaths; i++) {
        const struct caucus_event death = {
            .kind = CAUCUS_EVENT_DEATH,
            .peer = caucus_members_position(&attempt->members, room->hub->deaths.rank[i])};
        if (death.peer >= 0)
            step(room, attempt, &death);
    }
    step(room, attempt, &begin);
    if (objects && !attempt->decided)
        step(room, attempt, &object);
}

int caucus_alive_begin(struct caucus_alive_room *room, struct caucus_members *members,
                       int64_t topic, double timeout, bool objects,
                       struct caucus_alive_attempt **begun) {
    struct caucus_alive_attempt *attempt = caucus_array(1, sizeof *attempt);
    if (!attempt) {
        caucus_members_free(members);
        return CAUCUS_NO_MEMORY;
    }
    attempt->members = *members;
    int status = describe(room, attempt, timeout);
    if (!status)
        status = count_turn(room, attempt, topic);
    if (status) {
        free_attempt(attempt);
        return status;
    }
    attempt->has_caller = attempt->owes = true;
    attempt->next = room->attempts;
    room->attempts = attempt;
    caucus_service_owe(1);
    call(room, attempt, objects);
    take_held(room);
    *begun = attempt;
    return CAUCUS_OK;
}

void caucus_alive_leave(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt) {
    attempt->has_caller = false;
    if (attempt->released || attempt->status)
        forget(room, attempt);
}

void caucus_alive_drop(struct caucus_alive_room *room) {
    while (room->attempts)
        forget(room, room->attempts);
}

static void tell(const struct caucus_alive_attempt *attempt, const struct caucus_attachment *parent,
                 struct caucus_waits *waits) {
    char text[WORDS];
    int32_t *ranks = caucus_array(attempt->members.count, sizeof *ranks);
    if (!ranks)
        return;
    caucus_members_list(&attempt->members, ranks);
    caucus_alive_explain(&attempt->setup, attempt->state, ranks, text, sizeof text);
    caucus_waits_line(waits, parent->comm, "in caucus_group_%s_alive, a list of %d: %s",
                      attempt->key.topic < 0 ? "create" : "shrink", (int)attempt->members.count,
                      text);
    free(ranks);
}

void caucus_alive_tell(const struct caucus_hub *hub, struct caucus_waits *waits) {
    const struct caucus_alive_attempt *at = hub->alive ? hub->alive->attempts : NULL;
    for (; at; at = at->next)
        if (!at->decided)
            tell(at, hub->attachment, waits);
}
