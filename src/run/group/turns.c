/* SPDX-License-Identifier: BSD-3-Clause */
/* How many groups this rank has begun with others, of each kind: by that, messages of two members
 * find together. */
#include "run/group/manager.h"

void caucus_group_manager_begin_turns(struct caucus_group_manager *manager) {
    for (int i = 0; i < CAUCUS_MANAGER_GONE; i++)
        manager->gone[i] = -1;
}

void caucus_group_manager_free_turns(struct caucus_group_manager *manager) {
    caucus_table_free(&manager->within);
    caucus_table_free(&manager->turns);
}

static struct caucus_table_key turn_key(enum caucus_group_manager_kind kind, int64_t about, int tag,
                                        int peer) {
    struct caucus_table_key key = {(uint64_t)about, (uint64_t)tag << 32 | (uint32_t)peer};
    key.second ^= (uint64_t)kind << 63;
    return key;
}

static struct caucus_table_key group_key(int64_t identity) {
    return (struct caucus_table_key){(uint64_t)identity, 0};
}

/* Without memory to note that it is out of a group, it is not forgotten with that. */
int64_t *caucus_group_manager_turn(struct caucus_group_manager *manager,
                                   enum caucus_group_manager_kind kind, int64_t about, int tag,
                                   int peer) {
    if (kind == CAUCUS_MANAGER_LISTED && about >= 0)
        caucus_table_at(&manager->within, group_key(about));
    return caucus_table_at(&manager->turns, turn_key(kind, about, tag, peer));
}

int64_t *caucus_group_manager_turn_known(const struct caucus_group_manager *manager,
                                         enum caucus_group_manager_kind kind, int64_t about,
                                         int tag, int peer) {
    return caucus_table_find(&manager->turns, turn_key(kind, about, tag, peer));
}

/* What is taken out moves others to its place, perhaps. */
static void forget_all(struct caucus_table *turns, int64_t identity) {
    const struct caucus_table_key later = turn_key(CAUCUS_MANAGER_LATER, identity, 0, 0);
    for (int64_t i = 0; i < turns->room;) {
        const struct caucus_table_entry *entry = &turns->entry[i];
        if (entry->used && entry->key.first == later.first && entry->key.second != later.second)
            caucus_table_remove(turns, entry->key);
        else
            i++;
    }
}

void caucus_group_manager_forget(struct caucus_group_manager *manager,
                                 const struct caucus_light_group *group) {
    int64_t identity = caucus_group_identity(group);
    if (identity < 0 || group->is_rendezvous)
        return;
    if (caucus_table_find(&manager->within, group_key(identity))) {
        forget_all(&manager->turns, identity);
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
