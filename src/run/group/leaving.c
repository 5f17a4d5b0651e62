/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that some member has freed, until all have: brings messages to the protocol
 * (plan/protocol/retirement.h). */
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/retirement.h"
#include "run/group/hub.h"

#include <stdlib.h>

/* What came before this rank has freed its own is kept, or it would not be known whose it is. */
struct caucus_group_leaving {
    struct caucus_members members;
    struct caucus_retirement_setup setup;
    int64_t number;
    uint64_t *state; /* NULL while this rank has not freed it: */
    int *source;     /* who has, so far */
    int sources;
};

static void free_leaving(struct caucus_group_leaving *leaving) {
    if (leaving->state)
        caucus_members_free(&leaving->members);
    free(leaving->state);
    free(leaving->source);
    free(leaving);
}

static struct caucus_table_key key_of(int64_t number) {
    return (struct caucus_table_key){(uint64_t)number, 0};
}

static struct caucus_group_leaving *at_number(struct caucus_hub *hub, int64_t number) {
    int64_t *place = caucus_table_at(&hub->leaving, key_of(number));
    if (place && !*place) {
        struct caucus_group_leaving *leaving = caucus_array(1, sizeof *leaving);
        if (leaving)
            leaving->number = number;
        *place = (int64_t)(intptr_t)leaving;
    }
    return place ? (struct caucus_group_leaving *)(intptr_t)*place : NULL;
}

/* Whether nothing is left to do here. */
static bool is_over(struct caucus_hub *hub, const struct caucus_group_leaving *leaving,
                    int *status) {
    const struct caucus_actions *actions = &hub->actions;
    bool over = false;
    *status = actions->status;
    for (int64_t i = 0; i < actions->count && !*status; i++) {
        const struct caucus_action *action = &actions->action[i];
        const struct caucus_hub_message message = {.kind = CAUCUS_HUB_FREED,
                                                   .about = leaving->number};
        over = true;
        if (action->kind == CAUCUS_ACTION_DECIDE)
            caucus_group_slots_give(&hub->slots, (int32_t)(leaving->number % hub->room.slots_each));
        else
            *status = caucus_hub_send(hub, caucus_members_rank(&leaving->members, action->peer),
                                      &message, NULL, 0);
    }
    return over;
}

static void hear(struct caucus_hub *hub, struct caucus_group_leaving *leaving,
                 enum caucus_event_kind kind, int source) {
    struct caucus_event event = {.kind = kind, .peer = -1};
    if (kind == CAUCUS_EVENT_MESSAGE)
        event.peer = caucus_members_position(&leaving->members, source);
    caucus_actions_clear(&hub->actions);
    caucus_retirement.step(&leaving->setup, leaving->state, &event, &hub->actions);
}

/* It is gone afterwards if nothing is left to do here. */
static int step(struct caucus_hub *hub, struct caucus_group_leaving *leaving,
                enum caucus_event_kind kind, int source) {
    int status;
    hear(hub, leaving, kind, source);
    if (is_over(hub, leaving, &status)) {
        caucus_table_remove(&hub->leaving, key_of(leaving->number));
        free_leaving(leaving);
    }
    return status;
}

static int note_source(struct caucus_group_leaving *leaving, int source) {
    int *larger = realloc(leaving->source, (size_t)(leaving->sources + 1) * sizeof *larger);
    if (!larger)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for a group that others have freed");
    leaving->source = larger;
    leaving->source[leaving->sources++] = source;
    return CAUCUS_OK;
}

int caucus_leaving_take(struct caucus_hub *hub, int source,
                        const struct caucus_hub_message *message) {
    struct caucus_group_leaving *leaving = at_number(hub, message->about);
    if (!leaving)
        return CAUCUS_NO_MEMORY;
    return leaving->state ? step(hub, leaving, CAUCUS_EVENT_MESSAGE, source)
                          : note_source(leaving, source);
}

int caucus_leaving_begin(struct caucus_hub *hub, struct caucus_light_group *group) {
    struct caucus_group_leaving *leaving = at_number(hub, group->number);
    if (!leaving)
        return CAUCUS_NO_MEMORY;
    leaving->setup.members = group->size;
    leaving->state = caucus_array(caucus_retirement.state_bytes(&leaving->setup), 1);
    if (!leaving->state)
        return CAUCUS_NO_MEMORY;
    leaving->members = group->members;
    group->members = (struct caucus_members){0};
    caucus_retirement.begin(&leaving->setup, group->rank, leaving->state);
    /* Nothing follows from what others have freed before this rank's own turn has come. */
    for (int i = 0; i < leaving->sources; i++)
        hear(hub, leaving, CAUCUS_EVENT_MESSAGE, leaving->source[i]);
    return step(hub, leaving, CAUCUS_EVENT_CALL, -1);
}

void caucus_leaving_drop(struct caucus_hub *hub) {
    for (int64_t i = 0; i < hub->leaving.room; i++)
        if (hub->leaving.entry[i].used && hub->leaving.entry[i].value)
            free_leaving((struct caucus_group_leaving *)(intptr_t)hub->leaving.entry[i].value);
}
