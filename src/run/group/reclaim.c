/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that some member has freed, until all have: brings messages to the protocol
 * (plan/protocol/retirement.h). */
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/retirement.h"
#include "run/group/manager.h"

#include <stdlib.h>

/* What came before this rank has freed its own is kept, or it would not be known whose it is. */
struct caucus_group_reclaim {
    struct caucus_members members;
    struct caucus_retirement_setup setup;
    struct caucus_group_manager *manager;
    int64_t number;
    struct caucus_runner runner; /* without a state while this rank has not freed it: */
    int *source;                 /* who has, so far */
    int sources;
    bool has_failed; /* a collective did, here or below: what was sent for it may still come */
    bool over;       /* nothing is left to do here */
};

static void free_reclaim(struct caucus_group_reclaim *reclaim) {
    if (reclaim->runner.state) {
        caucus_members_free(&reclaim->members);
        reclaim->manager->reclaims--;
    }
    caucus_runner_end(&reclaim->runner);
    free(reclaim->source);
    free(reclaim);
}

static struct caucus_table_key key_of(int64_t number) {
    return (struct caucus_table_key){(uint64_t)number, 0};
}

static struct caucus_group_reclaim *at_number(struct caucus_group_manager *manager,
                                              int64_t number) {
    int64_t *place = caucus_table_at(&manager->reclaim, key_of(number));
    if (place && !*place) {
        struct caucus_group_reclaim *reclaim = caucus_array(1, sizeof *reclaim);
        if (reclaim) {
            reclaim->manager = manager;
            reclaim->number = number;
        }
        *place = (int64_t)(intptr_t)reclaim;
    }
    return place ? (struct caucus_group_reclaim *)(intptr_t)*place : NULL;
}

static void decide(void *owner, int64_t unused, const void *bytes, int64_t length) {
    struct caucus_group_reclaim *reclaim = owner;
    (void)unused, (void)bytes, (void)length;
    reclaim->over = true;
    if (!reclaim->has_failed)
        caucus_group_manager_give_number(reclaim->manager, reclaim->number);
}

static int send(void *owner, int32_t peer, const void *bytes, int64_t length) {
    struct caucus_group_reclaim *reclaim = owner;
    const struct caucus_group_head head = {
        .kind = CAUCUS_MANAGER_FREED, .tag = reclaim->has_failed, .about = reclaim->number};
    (void)bytes, (void)length;
    reclaim->over = true;
    return caucus_group_manager_send(reclaim->manager, caucus_members_rank(&reclaim->members, peer),
                                     &head, NULL, 0);
}

static const struct caucus_runner_binding binding = {
    .protocol = &caucus_retirement, .send = send, .decide = decide};

/* It is gone afterwards if nothing is left to do here. */
static int end_if_over(struct caucus_group_reclaim *reclaim, int status) {
    if (reclaim->over) {
        caucus_table_remove(&reclaim->manager->reclaim, key_of(reclaim->number));
        free_reclaim(reclaim);
    }
    return status;
}

/* What a dead member has sent may still come: the root gives the number to nobody, so no member has
 * to tell any other that it has freed the group. */
static bool is_over_by_death(struct caucus_group_reclaim *reclaim) {
    const struct caucus_group_manager_deaths *deaths = &reclaim->manager->deaths;
    for (int i = 0; i < deaths->count && reclaim->runner.state && !reclaim->over; i++)
        reclaim->over = caucus_members_position(&reclaim->members, deaths->rank[i]) >= 0;
    return reclaim->over;
}

static int hear(struct caucus_group_reclaim *reclaim, int source) {
    int32_t position = caucus_members_position(&reclaim->members, source);
    return caucus_runner_hear(&reclaim->runner, position, NULL, 0);
}

static int note_source(struct caucus_group_reclaim *reclaim, int source) {
    int *larger = realloc(reclaim->source, (size_t)(reclaim->sources + 1) * sizeof *larger);
    if (!larger)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for a group that others have freed");
    reclaim->source = larger;
    reclaim->source[reclaim->sources++] = source;
    return CAUCUS_OK;
}

int caucus_reclaim_take(struct caucus_group_manager *manager,
                        const struct caucus_group_message *message) {
    struct caucus_group_reclaim *reclaim = at_number(manager, message->head.about);
    if (!reclaim)
        return CAUCUS_NO_MEMORY;
    reclaim->has_failed = reclaim->has_failed || message->head.tag;
    return reclaim->runner.state ? end_if_over(reclaim, hear(reclaim, message->source))
                                 : note_source(reclaim, message->source);
}

int caucus_reclaim_begin(struct caucus_group_manager *manager, struct caucus_light_group *group) {
    caucus_group_manager_look_for_deaths(manager);
    struct caucus_group_reclaim *reclaim = at_number(manager, group->number);
    if (!reclaim)
        return CAUCUS_NO_MEMORY;
    reclaim->setup.members = group->size;
    int status = caucus_runner_begin(&reclaim->runner, &binding, &reclaim->setup, group->rank,
                                     &manager->actions, reclaim);
    if (status)
        return status;
    manager->reclaims++;
    reclaim->has_failed = reclaim->has_failed || group->has_failed;
    reclaim->members = group->members;
    group->members = (struct caucus_members){0};
    if (is_over_by_death(reclaim))
        return end_if_over(reclaim, CAUCUS_OK);
    /* Nothing follows from what others have freed before this rank's own turn has come. */
    for (int i = 0; i < reclaim->sources && !status; i++)
        status = hear(reclaim, reclaim->source[i]);
    if (!status)
        status = caucus_runner_call(&reclaim->runner, 0, NULL, 0);
    return end_if_over(reclaim, status);
}

/* What is taken out moves others to its place, perhaps. */
void caucus_reclaim_hear_deaths(struct caucus_group_manager *manager) {
    for (int64_t i = 0; i < manager->reclaim.room; i++) {
        const struct caucus_table_entry *entry = &manager->reclaim.entry[i];
        struct caucus_group_reclaim *reclaim = (void *)(intptr_t)entry->value;
        if (!entry->used || !reclaim || !is_over_by_death(reclaim))
            continue;
        end_if_over(reclaim, CAUCUS_OK);
        i = -1;
    }
}

void caucus_reclaim_drop(struct caucus_group_manager *manager) {
    for (int64_t i = 0; i < manager->reclaim.room; i++)
        if (manager->reclaim.entry[i].used && manager->reclaim.entry[i].value)
            free_reclaim((struct caucus_group_reclaim *)(intptr_t)manager->reclaim.entry[i].value);
}
