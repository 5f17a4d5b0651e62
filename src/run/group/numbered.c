/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups whose number comes to their members by messages of somebody else's. */
#include "run/group/hub.h"

int caucus_group_number_take(struct caucus_attachment *parent, int64_t *number) {
    struct caucus_hub *hub;
    int32_t slot = -1;
    int status = caucus_hub_get(parent, &hub);
    if (status)
        return status;
    pthread_mutex_lock(&hub->lock);
    caucus_hub_progress(hub); /* what others have freed meanwhile */
    status = caucus_group_slots_take(&hub->slots, &slot);
    pthread_mutex_unlock(&hub->lock);
    *number = caucus_group_number(&hub->room, parent->rank, slot);
    return status;
}

void caucus_group_number_give(struct caucus_attachment *parent, int64_t number) {
    struct caucus_hub *hub = parent->hub;
    pthread_mutex_lock(&hub->lock);
    caucus_group_slots_give(&hub->slots, (int32_t)(number % hub->room.slots_each));
    pthread_mutex_unlock(&hub->lock);
}

int caucus_group_make_numbered(struct caucus_attachment *parent, struct caucus_members *members,
                               int64_t number, struct caucus_light_group **group) {
    int status = caucus_group_make(parent, members, -1, 0, CAUCUS_GROUP_NUMBERED, group);
    if (!status)
        (*group)->number = number;
    return status;
}
