/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups in the making: brings messages and timers to the protocol (plan/protocol/creation.h), and
 * what it wants done to MPI. */
#include "base/memory.h"
#include "base/status.h"
#include "run/group/hub.h"
#include "run/waits.h"

#include <stdlib.h>
#include <string.h>

enum { TIMERS = 2, FLAT_MOST = 64, WORDS = 600 };
static const int64_t PATIENCE = 50000000; /* ns */
static const double NEVER = 1e300;

struct caucus_group_creation {
    struct caucus_light_group *group;
    struct caucus_creation_setup setup; /* its ranks are owned */
    uint64_t *state;
    int64_t *turn; /* LISTED: by position */
    int32_t slot;  /* of the root; else -1 */
    double due[TIMERS];
    int deaths; /* so many of the hub's have been looked at */
    struct caucus_group_creation *next;
};

static void free_creation(struct caucus_group_creation *creation) {
    free((void *)creation->setup.ranks);
    free(creation->state);
    free(creation->turn);
    free(creation);
}

static struct caucus_hub *hub_of(const struct caucus_group_creation *creation) {
    return creation->group->parent->hub;
}

static bool is_later(const struct caucus_light_group *group) {
    return group->way == CAUCUS_GROUP_LATER;
}

static struct caucus_hub_message head(const struct caucus_light_group *group, int64_t turn) {
    if (is_later(group))
        return (struct caucus_hub_message){
            CAUCUS_HUB_LATER, 0, (int64_t)group->hash, group->turn, {0}};
    return (struct caucus_hub_message){CAUCUS_HUB_LISTED, group->tag, group->outside, turn, {0}};
}

static struct caucus_hub_message head_for(const struct caucus_group_creation *creation, int rank) {
    const struct caucus_light_group *group = creation->group;
    int32_t position = caucus_members_position(&group->members, rank);
    return head(group, is_later(group) ? 0 : creation->turn[position]);
}

static void keep_failure(struct caucus_light_group *group, int status) {
    group->status = status;
    free(group->text);
    group->text =
        caucus_array_copy(caucus_error_text(), (int64_t)strlen(caucus_error_text()) + 1, 1);
}

static void decide(struct caucus_group_creation *creation, const struct caucus_action *action,
                   const void *bytes) {
    struct caucus_light_group *group = creation->group;
    int32_t rank;
    if (action->number == CAUCUS_CREATION_DONE) {
        memcpy(&group->number, bytes, sizeof group->number);
    } else {
        memcpy(&rank, bytes, sizeof rank);
        if (!group->status) /* that of this rank itself says more */
            keep_failure(group, caucus_creation_fail(group, action->number, rank));
        if (creation->slot >= 0)
            caucus_group_slots_give(&hub_of(creation)->slots, creation->slot);
    }
    group->creation = NULL; /* its record goes when the step is over */
}

static int send(const struct caucus_group_creation *creation, int rank, const void *body) {
    struct caucus_hub_message message = head_for(creation, rank);
    memcpy(message.body, body, sizeof message.body);
    return caucus_creation_send(creation->group, rank, &message);
}

static void carry_out(struct caucus_group_creation *creation) {
    struct caucus_hub *hub = hub_of(creation);
    struct caucus_actions *actions = &hub->actions;
    int status = actions->status;
    for (int64_t i = 0; i < actions->count && !status; i++) {
        const struct caucus_action *action = &actions->action[i];
        const void *bytes = caucus_action_bytes(actions, i);
        if (action->kind == CAUCUS_ACTION_SEND) {
            status = send(creation, action->peer, bytes);
        } else if (action->kind == CAUCUS_ACTION_TIMER) {
            creation->due[action->number] =
                action->after < 0 ? NEVER : PMPI_Wtime() + (double)action->after * 1e-9;
        } else if (action->kind == CAUCUS_ACTION_DECIDE) {
            decide(creation, action, bytes);
        }
    }
    if (status && creation->group->creation) {
        keep_failure(creation->group, status);
        creation->group->creation = NULL;
    }
}

/* The record is gone afterwards if the creation is over. */
static void step(struct caucus_group_creation *creation, const struct caucus_event *event) {
    struct caucus_hub *hub = hub_of(creation);
    caucus_actions_clear(&hub->actions);
    caucus_creation.step(&creation->setup, creation->state, event, &hub->actions);
    carry_out(creation);
    if (creation->group->creation)
        return;
    for (struct caucus_group_creation **at = &hub->creations; *at; at = &(*at)->next)
        if (*at == creation) {
            *at = creation->next;
            break;
        }
    free_creation(creation);
}

static bool is_for(const struct caucus_group_creation *creation, int source,
                   const struct caucus_hub_message *message) {
    if (caucus_members_position(&creation->group->members, source) < 0)
        return false;
    const struct caucus_hub_message head = head_for(creation, source);
    return head.kind == message->kind && head.tag == message->tag && head.about == message->about &&
           head.turn == message->turn;
}

static void hear(struct caucus_group_creation *creation, const struct caucus_hub_letter *letter) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                 .peer = letter->source,
                                 .bytes = letter->message.body,
                                 .length = sizeof letter->message.body};
    int status = caucus_creation_unload(creation->group, letter);
    if (status)
        keep_failure(creation->group, status);
    step(creation, &event);
}

bool caucus_creations_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    const struct caucus_hub_message *message = &letter->message;
    for (struct caucus_group_creation *at = hub->creations; at; at = at->next)
        if (is_for(at, letter->source, message)) {
            hear(at, letter);
            return true;
        }
    if (message->kind == CAUCUS_HUB_LATER) /* used later than others use it */
        return false;
    const int64_t *turn =
        caucus_hub_turn(hub, CAUCUS_HUB_LISTED, message->about, message->tag, letter->source);
    return turn && message->turn < *turn; /* of one that is over */
}

/* Whether that was its end. */
static bool ends_by_death(struct caucus_hub *hub, struct caucus_group_creation *creation) {
    while (creation->deaths < hub->deaths.count) {
        int rank = hub->deaths.rank[creation->deaths++];
        struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH, .peer = rank};
        if (caucus_members_position(&creation->group->members, rank) < 0)
            continue;
        step(creation, &event);
        return true;
    }
    return false;
}

void caucus_creations_look(struct caucus_hub *hub) {
    struct caucus_group_creation *next;
    if (!hub->creations)
        return;
    double now = PMPI_Wtime();
    for (struct caucus_group_creation *at = hub->creations; at; at = next) {
        next = at->next;
        if (ends_by_death(hub, at))
            continue;
        for (int timer = 0; timer < TIMERS; timer++) {
            struct caucus_event event = {.kind = CAUCUS_EVENT_TIMER, .number = timer};
            if (now < at->due[timer])
                continue;
            at->due[timer] = NEVER;
            step(at, &event);
            break; /* it may be gone */
        }
    }
}

void caucus_creations_tell(const struct caucus_hub *hub, struct caucus_waits *waits) {
    char text[WORDS];
    for (const struct caucus_group_creation *at = hub->creations; at; at = at->next) {
        const struct caucus_light_group *group = at->group;
        caucus_creation_explain(&at->setup, at->state, text, sizeof text);
        if (group->way == CAUCUS_GROUP_LATER || group->tag < 0)
            caucus_waits_line(waits, group->parent->comm, "in %s, %d members: %s",
                              caucus_creation_name(group), group->size, text);
        else
            caucus_waits_line(waits, group->parent->comm, "in %s, %d members, tag %d: %s",
                              caucus_creation_name(group), group->size, group->tag, text);
    }
}

void caucus_creations_drop(struct caucus_hub *hub) {
    while (hub->creations) {
        struct caucus_group_creation *next = hub->creations->next;
        hub->creations->group->creation = NULL;
        free_creation(hub->creations);
        hub->creations = next;
    }
}

static int count_turns(struct caucus_hub *hub, struct caucus_group_creation *creation) {
    const struct caucus_light_group *group = creation->group;
    creation->turn = caucus_array(group->size, sizeof *creation->turn);
    if (!creation->turn || !caucus_table_reserve(&hub->turns, group->size))
        return CAUCUS_NO_MEMORY; /* before any has counted */
    for (int i = 0; i < group->size; i++) {
        int64_t *turn = caucus_hub_turn(hub, CAUCUS_HUB_LISTED, group->outside, group->tag,
                                        creation->setup.ranks[i]);
        if (!turn)
            return CAUCUS_NO_MEMORY;
        creation->turn[i] = (*turn)++;
    }
    return CAUCUS_OK;
}

/* Few members are faster without a tree: the root hears them all in less time than hops take, above
 * all where ranks share processors and each hop waits for its turn. */
static bool is_flat(const struct caucus_light_group *group) {
    bool of_list = group->outside >= -1 || group->outside == CAUCUS_GROUP_LEADERS;
    return group->outside == CAUCUS_GROUP_JOINS || (of_list && group->size <= FLAT_MOST);
}

static int describe(struct caucus_group_creation *creation) {
    const struct caucus_light_group *group = creation->group;
    const struct caucus_engine *engine = group->parent->engine;
    int32_t *ranks = caucus_array(group->size, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    caucus_members_list(&group->members, ranks);
    creation->setup = (struct caucus_creation_setup){
        .members = group->size,
        .ranks = ranks,
        .me = group->rank,
        .checked = group->way == CAUCUS_GROUP_CHECKED,
        .flat = is_flat(group),
        .hash = group->hash,
        .patience = is_later(group) ? 0 : PATIENCE,
        .timeout = (int64_t)(engine->timeout * 1e9),
    };
    creation->state = caucus_array(caucus_creation.state_bytes(&creation->setup), 1);
    for (int i = 0; i < TIMERS; i++)
        creation->due[i] = NEVER;
    return creation->state ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int take_number(struct caucus_hub *hub, struct caucus_group_creation *creation,
                       int64_t *number) {
    const struct caucus_light_group *group = creation->group;
    *number = -1;
    creation->slot = -1;
    if (group->rank != 0)
        return CAUCUS_OK;
    int status = caucus_group_slots_take(&hub->slots, &creation->slot);
    if (!status)
        *number = caucus_group_number(&hub->room, group->parent->rank, creation->slot);
    return status;
}

/* A member that this rank could not even begin with: it would wait for it. Those that it has met
 * before count this one as one of theirs; of others it is the first, here too. */
static void refuse(struct caucus_hub *hub, const struct caucus_light_group *group, int rank) {
    int64_t *turn = caucus_hub_turn_known(hub, CAUCUS_HUB_LISTED, group->outside, group->tag, rank);
    bool counts = turn && !is_later(group);
    struct caucus_hub_message message = head(group, counts ? (*turn)++ : 0);
    caucus_creation_refusal(message.body, group->hash, group->parent->rank);
    caucus_hub_send(hub, rank, &message, NULL, 0);
}

static int refuse_all(struct caucus_hub *hub, struct caucus_light_group *group, int status) {
    keep_failure(group, status);
    for (int32_t i = 0; i < group->size; i++)
        if (i != group->rank)
            refuse(hub, group, caucus_members_rank(&group->members, i));
    return status;
}

static int prepare(struct caucus_hub *hub, struct caucus_light_group *group,
                   struct caucus_group_creation **made) {
    struct caucus_group_creation *creation = caucus_array(1, sizeof *creation);
    if (!creation)
        return CAUCUS_NO_MEMORY;
    creation->group = group;
    int status = describe(creation);
    if (!status && !is_later(group))
        status = count_turns(hub, creation);
    if (status)
        free_creation(creation);
    else
        *made = creation;
    return status;
}

int caucus_creation_begin(struct caucus_hub *hub, struct caucus_light_group *group) {
    struct caucus_group_creation *creation;
    int64_t number = -1;
    int status = prepare(hub, group, &creation);
    if (status)
        return refuse_all(hub, group, status);
    status = take_number(hub, creation, &number);
    if (status) /* of which the others hear */
        keep_failure(group, status);
    group->creation = creation;
    creation->next = hub->creations;
    hub->creations = creation;
    struct caucus_event call = {
        .kind = CAUCUS_EVENT_CALL,
        .number = group->objects || status ? CAUCUS_CREATION_OBJECT : CAUCUS_CREATION_CREATE,
        .bytes = &number,
        .length = sizeof number,
    };
    step(creation, &call);
    caucus_hub_look_at_held(hub);
    return CAUCUS_OK;
}

void caucus_creation_give_up(struct caucus_hub *hub, struct caucus_light_group *group) {
    for (struct caucus_group_creation **at = &hub->creations; *at; at = &(*at)->next)
        if ((*at)->group == group) {
            struct caucus_group_creation *creation = *at;
            *at = creation->next;
            free_creation(creation);
            group->creation = NULL;
            return;
        }
}
