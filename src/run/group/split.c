/* SPDX-License-Identifier: BSD-3-Clause */
/* A group falls apart by what its members say: everybody's wish to all, and a number with it. */
#include "plan/group/split.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/group/hub.h"

#include <stdlib.h>

enum { WORDS = sizeof(struct caucus_split_wish) / sizeof(int32_t) };

static int take_slot(struct caucus_hub *hub, int32_t *slot) {
    pthread_mutex_lock(&hub->lock);
    int status = caucus_group_slots_take(&hub->slots, slot);
    pthread_mutex_unlock(&hub->lock);
    return status;
}

static void give_slot(struct caucus_hub *hub, int32_t slot) {
    pthread_mutex_lock(&hub->lock);
    caucus_group_slots_give(&hub->slots, slot);
    pthread_mutex_unlock(&hub->lock);
}

/* positions are of the old group. */
static int make_part(const struct caucus_light_group *group, const int32_t *positions,
                     int32_t count, const struct caucus_split_wish *wishes,
                     struct caucus_light_group **made) {
    struct caucus_hub *hub = group->parent->hub;
    struct caucus_members inner, members;
    int status = caucus_members_from_list(&inner, group->size, count, positions);
    if (!status) {
        status = caucus_members_within(&members, &group->members, &inner);
        caucus_members_free(&inner);
    }
    if (!status)
        status = caucus_group_make(group->parent, &members, -1, 0, CAUCUS_GROUP_NUMBERED, made);
    if (!status)
        (*made)->number =
            caucus_group_number(&hub->room, caucus_members_rank(&group->members, positions[0]),
                                wishes[positions[0]].slot);
    return status;
}

/* Whose slot is not the number of a part gives it back. */
static int split(const struct caucus_light_group *group, const struct caucus_split_wish *wishes,
                 int32_t *positions, struct caucus_light_group **made) {
    int32_t count = caucus_split(wishes, group->size, group->rank, positions);
    int status = count ? make_part(group, positions, count, wishes, made) : CAUCUS_OK;
    if (count == 0 || positions[0] != group->rank)
        give_slot(group->parent->hub, wishes[group->rank].slot);
    return status;
}

int caucus_group_part(const struct caucus_light_group *group, const struct caucus_peers *peers,
                      int32_t colour, int32_t key, struct caucus_light_group **made) {
    struct caucus_split_wish own = {colour, key, -1}, *wishes;
    int32_t *positions = caucus_array(group->size, sizeof *positions);
    wishes = caucus_array(group->size, sizeof *wishes);
    int status = positions && wishes ? take_slot(group->parent->hub, &own.slot) : CAUCUS_NO_MEMORY;
    *made = NULL;
    status = caucus_agree(peers, status, 0, NULL);
    if (!status)
        status = caucus_peers_spread(peers, &own, WORDS, MPI_INT32_T, wishes);
    if (!status)
        status = split(group, wishes, positions, made);
    else if (own.slot >= 0)
        give_slot(group->parent->hub, own.slot);
    free(positions);
    free(wishes);
    return status;
}
