/* SPDX-License-Identifier: BSD-3-Clause */
/* How many groups this rank has begun with others, of each kind: by that, messages of two members
 * find together. */
#include "base/status.h"
#include "run/group/manager.h"

void caucus_group_manager_begin_turns(struct caucus_group_manager *manager) {
    for (int i = 0; i < CAUCUS_MANAGER_GONE; i++)
        manager->gone[i] = -1;
}

void caucus_group_manager_free_turns(struct caucus_group_manager *manager) {
    caucus_table_free(&manager->unused);
    caucus_table_free(&manager->within);
    caucus_table_free(&manager->turns);
}

static struct caucus_table_key turn_key(enum caucus_group_manager_kind kind, int64_t about, int tag,
                                        int peer) {
    struct caucus_table_key key = {(uint64_t)about, (uint64_t)tag << 32 | (uint32_t)peer};
    key.second ^= (uint64_t)kind << 63;
    return key;
}

/* An identity or a topic, and not what all lists of a kind have instead. */
static bool may_go(int64_t about) {
    return about >= 0 || about < CAUCUS_GROUP_BALANCES;
}

static struct caucus_table_key group_key(int64_t identity) {
    return (struct caucus_table_key){(uint64_t)identity, 0};
}

/* Without memory to note that it is out of a group, it is not forgotten with that. */
int64_t *caucus_group_manager_turn(struct caucus_group_manager *manager,
                                   enum caucus_group_manager_kind kind, int64_t about, int tag,
                                   int peer) {
    if (kind == CAUCUS_MANAGER_LISTED && may_go(about))
        caucus_table_at(&manager->within, group_key(about));
    return caucus_table_at(&manager->turns, turn_key(kind, about, tag, peer));
}

int64_t *caucus_group_manager_turn_known(const struct caucus_group_manager *manager,
                                         enum caucus_group_manager_kind kind, int64_t about,
                                         int tag, int peer) {
    return caucus_table_find(&manager->turns, turn_key(kind, about, tag, peer));
}

static struct caucus_table_key unused_key(int64_t about, int64_t turn) {
    return (struct caucus_table_key){(uint64_t)about, (uint64_t)turn};
}

/* Groups made without a message are told apart by what they are and how many were made before. */
int caucus_group_manager_count(struct caucus_group_manager *manager,
                               struct caucus_light_group *group) {
    int64_t about = (int64_t)group->hash;
    int64_t *turn = caucus_group_manager_turn(manager, CAUCUS_MANAGER_LATER, about, 0, 0);
    if (!turn || !caucus_table_at(&manager->unused, unused_key(about, *turn)))
        return CAUCUS_NO_MEMORY;
    group->turn = (*turn)++;
    return CAUCUS_OK;
}

void caucus_group_manager_uncount(struct caucus_group_manager *manager,
                                  struct caucus_light_group *group) {
    int64_t *turn =
        caucus_group_manager_turn_known(manager, CAUCUS_MANAGER_LATER, (int64_t)group->hash, 0, 0);
    if (!turn || *turn != group->turn + 1)
        return;
    caucus_group_manager_use(manager, group);
    *turn = group->turn;
    group->turn = -1;
}

void caucus_group_manager_use(struct caucus_group_manager *manager,
                              const struct caucus_light_group *group) {
    if (group->way == CAUCUS_GROUP_LATER)
        caucus_table_remove(&manager->unused, unused_key((int64_t)group->hash, group->turn));
}

bool caucus_group_manager_expects(const struct caucus_group_manager *manager, int64_t about,
                                  int64_t turn) {
    const int64_t *made =
        caucus_group_manager_turn_known(manager, CAUCUS_MANAGER_LATER, about, 0, 0);
    return !made || turn >= *made || caucus_table_find(&manager->unused, unused_key(about, turn));
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

void caucus_group_manager_forget_about(struct caucus_group_manager *manager, int64_t about) {
    if (caucus_table_find(&manager->within, group_key(about))) {
        forget_all(&manager->turns, about);
        caucus_table_remove(&manager->within, group_key(about));
    }
    manager->gone[manager->next_gone] = about;
    manager->next_gone = (manager->next_gone + 1) % CAUCUS_MANAGER_GONE;
}

void caucus_group_manager_forget(struct caucus_group_manager *manager,
                                 const struct caucus_light_group *group) {
    int64_t identity = caucus_group_identity(group);
    caucus_group_manager_use(manager, group); /* never, if it was not */
    if (identity >= 0 && !group->is_rendezvous)
        caucus_group_manager_forget_about(manager, identity);
}

bool caucus_group_manager_is_gone(const struct caucus_group_manager *manager, int64_t about) {
    bool found = false;
    for (int i = 0; i < CAUCUS_MANAGER_GONE && may_go(about) && !found; i++)
        found = manager->gone[i] == about;
    return found;
}
