/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings messages, deaths and timers to the protocol by which the living members of a list agree on
 * a group (plan/protocol/alive.h). What comes of it is a group, whose number the member that fixed
 * it had taken before, or words. */
#include "plan/protocol/alive.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/member_set.h"
#include "run/group/manager.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMED = 8, NAMES = 128, WORDS = 600, SHORT_MESSAGE = 64 /* an answer or an objection */ };

/* A call of this rank's, until it is released and its caller has gone. */
struct caucus_alive_attempt {
    struct caucus_group_head head; /* of its messages: about of whom the list is (-1 for the
                                      communicator, or a group's identity), the list's hash in the
                                      body, turn how often it was called with these before */
    struct caucus_members members; /* ranks of the parent; owned */
    struct caucus_alive_setup setup;
    struct caucus_group_manager *manager;
    struct caucus_runner runner;
    uint64_t *heard; /* members from whom something has come */
    uint64_t *named; /* with the outcome */
    int32_t slot;    /* taken for it; -1 when it was given back or became a group's */
    int deaths;      /* so many of the manager's have been looked at */
    double patience; /* seconds, with those who seem to have another list */
    int status;      /* a failure of this rank alone */
    bool decided, released, has_caller;
    bool owes; /* others may need it */
    struct caucus_alive_outcome outcome;
    struct caucus_alive_attempt *next;
};

static struct caucus_table_key turn_key(const struct caucus_group_head *head) {
    struct caucus_table_key key = {0, (uint64_t)head->about};
    memcpy(&key.first, head->body, sizeof key.first);
    return key;
}

static void free_attempt(struct caucus_alive_attempt *attempt) {
    caucus_members_free(&attempt->members);
    caucus_runner_end(&attempt->runner);
    free(attempt->heard);
    free(attempt->named);
    free(attempt);
}

static void forget(struct caucus_alive_attempt *attempt) {
    struct caucus_alive_attempt **at = &attempt->manager->alive.attempts;
    while (*at != attempt)
        at = &(*at)->next;
    *at = attempt->next;
    if (attempt->owes)
        caucus_service_owe(-1);
    free_attempt(attempt);
}

/* A slot that others may yet take for a group's is not used again: they hold a proposal of this
 * member's, whose own outcome is another. */
static void settle_slot(struct caucus_alive_attempt *attempt) {
    struct caucus_group_manager *manager = attempt->manager;
    bool own = attempt->outcome.code == CAUCUS_ALIVE_SUCCESS &&
               attempt->outcome.fixed_by ==
                   caucus_members_position(&attempt->members, manager->attachment->rank);
    if (attempt->slot >= 0 && !own && !caucus_alive_has_proposed(attempt->runner.state))
        caucus_group_slots_give(&manager->slots, attempt->slot);
    attempt->slot = -1;
}

static void decide(void *owner, int64_t number, const void *bytes, int64_t length) {
    struct caucus_alive_attempt *attempt = owner;
    if (number == CAUCUS_ALIVE_RELEASED) {
        attempt->released = true;
        return;
    }
    attempt->decided = caucus_alive_outcome_read(bytes, length, attempt->setup.members,
                                                 &attempt->outcome, attempt->named);
    if (!attempt->decided)
        attempt->status = caucus_fail(CAUCUS_INTERNAL, "an outcome that can't be read");
    settle_slot(attempt);
    if (attempt->outcome.code == CAUCUS_ALIVE_EXCLUDED ||
        attempt->outcome.code == CAUCUS_ALIVE_IN_DOUBT) { /* deaf and dumb from now on */
        attempt->owes = false;
        caucus_service_owe(-1);
    }
}

static int send(void *owner, int32_t peer, const void *bytes, int64_t length) {
    struct caucus_alive_attempt *attempt = owner;
    return caucus_group_manager_send(attempt->manager, caucus_members_rank(&attempt->members, peer),
                                     &attempt->head, bytes, length);
}

static const struct caucus_runner_binding binding = {
    .protocol = &caucus_alive, .send = send, .decide = decide};

/* What fails is told to its caller. */
static void keep(struct caucus_alive_attempt *attempt, int status) {
    if (status && !attempt->status)
        attempt->status = status;
}

static void hear(struct caucus_alive_attempt *attempt, const struct caucus_group_message *message) {
    int32_t position = caucus_members_position(&attempt->members, message->source);
    if (position < 0)
        return;
    caucus_set_add(attempt->heard, position);
    keep(attempt, caucus_runner_hear(&attempt->runner, position, message->load, message->length));
}

/* Of a call that this rank has made there is a record until it was released. */
static bool is_over(const struct caucus_group_manager *manager,
                    const struct caucus_group_head *head) {
    const int64_t *turn = caucus_table_find(&manager->alive.turns, turn_key(head));
    return turn && head->turn < *turn;
}

static void answer(struct caucus_group_manager *manager,
                   const struct caucus_group_message *message) {
    unsigned char bytes[SHORT_MESSAGE];
    int64_t length = caucus_alive_answer(message->load, message->length, bytes);
    if (length > 0)
        caucus_group_manager_send(manager, message->source, &message->head, bytes, length);
}

enum caucus_group_taken caucus_alive_take(struct caucus_group_manager *manager,
                                          const struct caucus_group_message *message) {
    struct caucus_alive_attempt *attempt = manager->alive.attempts;
    while (attempt && memcmp(&attempt->head, &message->head, sizeof attempt->head) != 0)
        attempt = attempt->next;
    if (attempt)
        hear(attempt, message);
    else if (is_over(manager, &message->head))
        answer(manager, message);
    else
        return CAUCUS_MANAGER_HOLDS;
    return CAUCUS_MANAGER_DONE;
}

static void hear_deaths(struct caucus_alive_attempt *attempt) {
    const struct caucus_group_manager_deaths *deaths = &attempt->manager->deaths;
    while (attempt->deaths < deaths->count) {
        int rank = deaths->rank[attempt->deaths++];
        int32_t position = caucus_members_position(&attempt->members, rank);
        if (position >= 0)
            keep(attempt, caucus_runner_hear_death(&attempt->runner, position));
    }
}

/* Who is a member and has sent nothing but messages of another list, for long. */
static bool differs(const struct caucus_alive_attempt *attempt,
                    const struct caucus_group_manager_held *held, double now) {
    const struct caucus_group_head *own = &attempt->head, *other = &held->message.head;
    int32_t position = caucus_members_position(&attempt->members, held->message.source);
    return other->kind == CAUCUS_MANAGER_ALIVE && position >= 0 && !held->objected &&
           !caucus_set_has(attempt->heard, position) && other->about == own->about &&
           memcmp(other->body, own->body, sizeof own->body) != 0 &&
           now - held->since >= attempt->patience;
}

static void object(struct caucus_alive_attempt *attempt) {
    keep(attempt, caucus_runner_call(&attempt->runner, CAUCUS_ALIVE_OBJECT, NULL, 0));
}

static void object_to_other_lists(struct caucus_alive_attempt *attempt, double now) {
    unsigned char bytes[SHORT_MESSAGE];
    struct caucus_group_manager *manager = attempt->manager;
    for (struct caucus_group_manager_held *at = manager->held; at && !attempt->decided;
         at = at->next) {
        if (!differs(attempt, at, now))
            continue;
        object(attempt);
        if (!attempt->decided)
            continue; /* not allowed yet, or any more */
        at->objected = true;
        caucus_group_manager_send(manager, at->message.source, &at->message.head, bytes,
                                  caucus_alive_objection(bytes));
    }
}

void caucus_alive_look(struct caucus_group_manager *manager) {
    struct caucus_alive_attempt *next;
    double now = manager->alive.attempts ? PMPI_Wtime() : 0;
    for (struct caucus_alive_attempt *at = manager->alive.attempts; at; at = next) {
        next = at->next;
        hear_deaths(at);
        for (bool found = true; found;)
            keep(at, caucus_runner_hear_timer(&at->runner, now, &found));
        if (!at->decided)
            object_to_other_lists(at, now);
        if (at->released && !at->has_caller)
            forget(at);
    }
}

bool caucus_alive_owes(const struct caucus_group_manager *manager) {
    const struct caucus_alive_attempt *attempt = manager->alive.attempts;
    while (attempt && !attempt->owes)
        attempt = attempt->next;
    return attempt;
}

void caucus_alive_drop(struct caucus_group_manager *manager) {
    while (manager->alive.attempts)
        forget(manager->alive.attempts);
    caucus_table_free(&manager->alive.turns);
}

static uint64_t make_nonce(const struct caucus_group_manager *manager) {
    uint64_t mixed = (uint64_t)(PMPI_Wtime() * 1e9) + (uint64_t)getpid();
    return (mixed ^ (uint64_t)(uintptr_t)manager) * 0x9e3779b97f4a7c15u | 1;
}

static int describe(struct caucus_alive_attempt *attempt, double timeout) {
    double most = (double)INT64_MAX / 4e9;
    struct caucus_group_manager *manager = attempt->manager;
    attempt->setup = (struct caucus_alive_setup){
        .members = attempt->members.count,
        .timeout = (int64_t)((timeout < most ? timeout : most) * 1e9) + 1,
        .detects = manager->deaths.told,
        .hears_all = true,
    };
    attempt->patience = timeout / 4 < 1 ? timeout / 4 : 1;
    int64_t words = caucus_set_words(attempt->setup.members);
    attempt->heard = caucus_array(words, sizeof *attempt->heard);
    attempt->named = caucus_array(words, sizeof *attempt->named);
    if (!attempt->heard || !attempt->named)
        return CAUCUS_NO_MEMORY;
    int32_t me = caucus_members_position(&attempt->members, manager->attachment->rank);
    return caucus_runner_begin(&attempt->runner, &binding, &attempt->setup, me, &manager->actions,
                               attempt);
}

static int count_turn(struct caucus_alive_attempt *attempt, int64_t topic) {
    uint64_t list = caucus_members_hash(&attempt->members);
    attempt->head = (struct caucus_group_head){CAUCUS_MANAGER_ALIVE, 0, topic, 0, {0}};
    memcpy(attempt->head.body, &list, sizeof list);
    int64_t *turn = caucus_table_at(&attempt->manager->alive.turns, turn_key(&attempt->head));
    if (!turn)
        return CAUCUS_NO_MEMORY;
    attempt->slot = -1;
    int status = caucus_group_slots_take(&attempt->manager->slots, &attempt->slot);
    if (!status)
        attempt->head.turn = (*turn)++;
    return status;
}

static void call(struct caucus_alive_attempt *attempt, bool objects) {
    const struct caucus_group_manager *manager = attempt->manager;
    const struct caucus_alive_name name = {
        (uint64_t)caucus_group_manager_number(manager, attempt->slot), manager->alive.nonce};
    hear_deaths(attempt);
    keep(attempt, caucus_runner_call(&attempt->runner, CAUCUS_ALIVE_BEGIN, &name, sizeof name));
    if (objects && !attempt->decided)
        object(attempt);
}

/* The members are taken over, on failure too. */
static int begin(struct caucus_group_manager *manager, struct caucus_members *members,
                 int64_t topic, double timeout, bool objects, struct caucus_alive_attempt **begun) {
    struct caucus_alive_attempt *attempt = caucus_array(1, sizeof *attempt);
    if (!attempt) {
        caucus_members_free(members);
        return CAUCUS_NO_MEMORY;
    }
    attempt->members = *members;
    attempt->manager = manager;
    int status = describe(attempt, timeout);
    if (!status)
        status = count_turn(attempt, topic);
    if (status) {
        free_attempt(attempt);
        return status;
    }
    attempt->has_caller = attempt->owes = true;
    attempt->next = manager->alive.attempts;
    manager->alive.attempts = attempt;
    if (manager->alive.nonce == 0)
        manager->alive.nonce = make_nonce(manager);
    caucus_group_manager_begin_service(manager);
    caucus_service_owe(1);
    call(attempt, objects);
    caucus_group_manager_look_at_held(manager);
    *begun = attempt;
    return CAUCUS_OK;
}

/* "ranks 3, 5 and 2 more" */
static void name_ranks(const struct caucus_alive_attempt *attempt, char *text) {
    int length = 0, more = 0, named = 0;
    for (int32_t i = 0; i < attempt->members.count; i++) {
        if (!caucus_set_has(attempt->named, i))
            continue;
        if (named++ < NAMED)
            length += snprintf(text + length, (size_t)(NAMES - length), "%s%d",
                               length > 0 ? ", " : "", caucus_members_rank(&attempt->members, i));
        else
            more++;
    }
    if (named == 0)
        snprintf(text, NAMES, "one that nobody can name");
    else if (more > 0)
        snprintf(text + length, (size_t)(NAMES - length), " and %d more", more);
}

static int fail(const struct caucus_alive_attempt *attempt) {
    char ranks[NAMES];
    switch ((enum caucus_alive_code)attempt->outcome.code) {
    case CAUCUS_ALIVE_TIMEOUT:
        name_ranks(attempt, ranks);
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "members that are not known to be dead did not come in time (ranks of "
                           "the parent: %s): nobody has the group",
                           ranks);
    case CAUCUS_ALIVE_MISMATCH:
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the lists of members differ, or one failed: nobody has the group");
    case CAUCUS_ALIVE_EXCLUDED:
        return caucus_fail(CAUCUS_INTERNAL, "other members hold this process for dead");
    default:
        return caucus_fail(CAUCUS_PENDING,
                           "in doubt: this member agreed to a group and heard nothing more, and "
                           "MPI does not tell of deaths here; others may have the group or an "
                           "error, and this list serves no more");
    }
}

/* What all have agreed on counts, whatever has failed here before; and what has failed for want of
 * memory for somebody else's message is no failure of this. */
static int await(struct caucus_alive_attempt *attempt) {
    struct caucus_group_manager *manager = attempt->manager;
    for (int64_t round = 0;; round++) {
        pthread_mutex_lock(&manager->lock);
        int status = caucus_group_manager_progress(manager);
        bool decided = attempt->decided;
        if (status == CAUCUS_NO_MEMORY)
            status = CAUCUS_OK;
        if (!status && !decided && attempt->status)
            status = caucus_fail(attempt->status, "this member ran out of memory");
        pthread_mutex_unlock(&manager->lock);
        if (decided || status)
            return decided ? CAUCUS_OK : status;
        caucus_progress();
        caucus_waiting_pause(&manager->attachment->engine->waiting, round);
    }
}

static int read_members(const struct caucus_alive_attempt *attempt, int parent_size,
                        struct caucus_members *members) {
    int32_t count = 0, *ranks = caucus_array(attempt->members.count, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < attempt->members.count; i++)
        if (!caucus_set_has(attempt->named, i))
            ranks[count++] = caucus_members_rank(&attempt->members, i);
    int status = caucus_members_from_list(members, parent_size, count, ranks);
    free(ranks);
    return status;
}

static int make(struct caucus_attachment *parent, const struct caucus_alive_attempt *attempt,
                struct caucus_light_group **made) {
    struct caucus_members members;
    int64_t number = (int64_t)attempt->outcome.name.counter;
    int status = read_members(attempt, parent->size, &members);
    return status ? status : caucus_group_make_numbered(parent, &members, number, made);
}

int caucus_group_make_alive(struct caucus_attachment *parent, struct caucus_members *members,
                            int64_t outside, double timeout, bool objects,
                            struct caucus_light_group **made) {
    struct caucus_alive_attempt *attempt;
    struct caucus_group_manager *manager;
    int status = caucus_group_manager_get(parent, &manager);
    if (status) {
        caucus_members_free(members);
        return status;
    }
    pthread_mutex_lock(&manager->lock);
    status = begin(manager, members, outside, timeout, objects, &attempt);
    pthread_mutex_unlock(&manager->lock);
    if (status)
        return status;
    status = await(attempt);
    if (!status)
        status = attempt->outcome.code == CAUCUS_ALIVE_SUCCESS ? make(parent, attempt, made)
                                                               : fail(attempt);
    pthread_mutex_lock(&manager->lock);
    attempt->has_caller = false;
    if (attempt->released)
        forget(attempt);
    pthread_mutex_unlock(&manager->lock);
    return status;
}

static void tell(const struct caucus_alive_attempt *attempt, const struct caucus_attachment *parent,
                 struct caucus_waits *waits) {
    char text[WORDS];
    int32_t *ranks = caucus_members_array(&attempt->members);
    if (!ranks)
        return;
    caucus_alive_explain(&attempt->setup, attempt->runner.state, ranks, text, sizeof text);
    caucus_waits_line(waits, parent->comm, "in caucus_group_%s_alive, a list of %d: %s",
                      attempt->head.about < 0 ? "create" : "shrink", (int)attempt->members.count,
                      text);
    free(ranks);
}

void caucus_alive_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits) {
    for (const struct caucus_alive_attempt *at = manager->alive.attempts; at; at = at->next)
        if (!at->decided)
            tell(at, manager->attachment, waits);
}
