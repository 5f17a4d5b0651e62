/* SPDX-License-Identifier: BSD-3-Clause */
/* How many groups this rank has begun with others, of each kind: by that, messages of two members
 * find together. */
#include "base/memory.h"
#include "run/group/manager.h"

#include <stdlib.h>

void caucus_group_manager_begin_turns(struct caucus_group_manager *manager) {
    for (int i = 0; i < CAUCUS_MANAGER_GONE; i++)
        manager->gone[i] = -1;
}

static void free_turns(int64_t place) {
    struct caucus_table *turns = (struct caucus_table *)(intptr_t)place;
    if (turns)
        caucus_table_free(turns);
    free(turns);
}

void caucus_group_manager_free_turns(struct caucus_group_manager *manager) {
    for (int64_t i = 0; i < manager->within.room; i++)
        if (manager->within.entry[i].used)
            free_turns(manager->within.entry[i].value);
    caucus_table_free(&manager->within);
    caucus_table_free(&manager->turns);
}

static struct caucus_table_key turn_key(enum caucus_group_manager_kind kind, int64_t about, int tag,
                                        int peer) {
    struct caucus_table_key key = {(uint64_t)about, (uint64_t)tag << 32 | (uint32_t)peer};
    key.second ^= (uint64_t)kind << 63;
    return key;
}

static bool is_within(enum caucus_group_manager_kind kind, int64_t about) {
    return kind == CAUCUS_MANAGER_LISTED && about >= 0;
}

static struct caucus_table_key group_key(int64_t identity) {
    return (struct caucus_table_key){(uint64_t)identity, 0};
}

/* NULL without memory. */
static struct caucus_table *turns_of(struct caucus_group_manager *manager,
                                     enum caucus_group_manager_kind kind, int64_t about) {
    if (!is_within(kind, about))
        return &manager->turns;
    int64_t *place = caucus_table_at(&manager->within, group_key(about));
    if (place && !*place)
        *place = (int64_t)(intptr_t)caucus_array(1, sizeof(struct caucus_table));
    return place ? (struct caucus_table *)(intptr_t)*place : NULL;
}

/* NULL where there are none. */
static const struct caucus_table *turns_known(const struct caucus_group_manager *manager,
                                              enum caucus_group_manager_kind kind, int64_t about) {
    if (!is_within(kind, about))
        return &manager->turns;
    const int64_t *place = caucus_table_find(&manager->within, group_key(about));
    return place ? (const struct caucus_table *)(intptr_t)*place : NULL;
}

int64_t *caucus_group_manager_turn(struct caucus_group_manager *manager,
                                   enum caucus_group_manager_kind kind, int64_t about, int tag,
                                   int peer) {
    struct caucus_table *turns = turns_of(manager, kind, about);
    return turns ? caucus_table_at(turns, turn_key(kind, about, tag, peer)) : NULL;
}

int64_t *caucus_group_manager_turn_known(const struct caucus_group_manager *manager,
                                         enum caucus_group_manager_kind kind, int64_t about,
                                         int tag, int peer) {
    const struct caucus_table *turns = turns_known(manager, kind, about);
    return turns ? caucus_table_find(turns, turn_key(kind, about, tag, peer)) : NULL;
}

bool caucus_group_manager_reserve_turns(struct caucus_group_manager *manager, int64_t about,
                                        int64_t more) {
    struct caucus_table *turns = turns_of(manager, CAUCUS_MANAGER_LISTED, about);
    return turns && caucus_table_reserve(turns, more);
}

void caucus_group_manager_forget(struct caucus_group_manager *manager,
                                 const struct caucus_light_group *group) {
    int64_t identity = caucus_group_identity(group);
    if (identity < 0 || group->is_rendezvous)
        return;
    const int64_t *place = caucus_table_find(&manager->within, group_key(identity));
    if (place) {
        free_turns(*place);
        caucus_table_remove(&manager->within, group_key(identity));
    }
    manager->gone[manager->next_gone] = identity;
    manager->next_gone = (manager->next_gone + 1) % CAUCUS_MANAGER_GONE;
}

bool caucus_group_manager_is_gone(const struct caucus_group_manager *manager, int64_t about) {
    bool found = false;
    for (int i = 0; i < CAUCUS_MANAGER_GONE && about >= 0 && !found; i++)
        found = manager->gone[i] == about;
    return found;
}
