/* SPDX-License-Identifier: BSD-3-Clause */
/* A group falls apart by what its members say, a number of each among it. */
#include "plan/group/split.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/group/manager.h"

#include <stdlib.h>

int caucus_group_part_begin(const struct caucus_light_group *group,
                            struct caucus_split_wish *wish) {
    struct caucus_group_manager *manager = group->parent->manager;
    wish->slot = -1;
    if (wish->colour < 0)
        return CAUCUS_OK;
    pthread_mutex_lock(&manager->lock);
    int status = caucus_group_slots_take(&manager->slots, &wish->slot);
    wish->use = manager->slots.use;
    pthread_mutex_unlock(&manager->lock);
    return status;
}

void caucus_group_part_not(const struct caucus_light_group *group,
                           const struct caucus_split_wish *wish) {
    struct caucus_group_manager *manager = group->parent->manager;
    if (wish->colour < 0)
        return;
    pthread_mutex_lock(&manager->lock);
    caucus_group_slots_give(&manager->slots, wish->slot);
    pthread_mutex_unlock(&manager->lock);
}

/* positions are of the old group. */
static int make_part(const struct caucus_light_group *group, const int32_t *positions,
                     int32_t count, const struct caucus_split_wish *wishes,
                     struct caucus_light_group **made) {
    struct caucus_group_manager *manager = group->parent->manager;
    struct caucus_members inner, members;
    int status = caucus_members_from_list(&inner, group->size, count, positions);
    if (!status) {
        status = caucus_members_within(&members, &group->members, &inner);
        caucus_members_free(&inner);
    }
    if (status)
        return status;
    int root = caucus_members_rank(&group->members, positions[0]);
    const struct caucus_split_wish *first = &wishes[positions[0]];
    int64_t number = caucus_group_number(&manager->room, root, first->slot, first->use);
    return caucus_group_make_numbered(group->parent, &members, number, made);
}

int caucus_group_part(const struct caucus_light_group *group,
                      const struct caucus_split_wish *wishes, struct caucus_light_group **made) {
    int32_t *positions = caucus_array(group->size, sizeof *positions);
    *made = NULL;
    if (!positions) /* the others may form a group with its number */
        return CAUCUS_NO_MEMORY;
    int32_t count = caucus_split(wishes, group->size, group->rank, positions);
    int status = count ? make_part(group, positions, count, wishes, made) : CAUCUS_OK;
    if (count == 0 || positions[0] != group->rank) /* the number of none */
        caucus_group_part_not(group, &wishes[group->rank]);
    free(positions);
    return status;
}
