/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/numbers.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int caucus_group_room_create(struct caucus_group_room *room, int32_t ranks, int32_t first_tag,
                             int32_t tag_limit, int32_t tags_each) {
    int64_t numbers = ((int64_t)tag_limit - first_tag + 1) / tags_each;
    int64_t slots = numbers > 0 ? numbers / ranks : 0;
    *room = (struct caucus_group_room){ranks, first_tag, tags_each, (int32_t)slots};
    if (slots > 0)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "MPI_TAG_UB is %d: that is too little to tell groups of %d ranks apart, "
                       "which takes %d tags for each rank",
                       tag_limit, ranks, tags_each);
}

void caucus_group_slots_create(struct caucus_group_slots *slots,
                               const struct caucus_group_room *room) {
    *slots = (struct caucus_group_slots){.limit = room->slots_each};
}

void caucus_group_slots_free(struct caucus_group_slots *slots) {
    free(slots->ring);
    memset(slots, 0, sizeof *slots);
}

/* Room in the ring for all slots that are in use, so that giving one back cannot fail. */
static int make_room(struct caucus_group_slots *slots) {
    if (slots->used < slots->room)
        return CAUCUS_OK;
    int64_t wanted = 2 * (int64_t)slots->room + 16;
    int32_t *larger = wanted <= INT32_MAX ? malloc((size_t)wanted * sizeof *larger) : NULL;
    if (!larger)
        return caucus_fail(CAUCUS_NO_MEMORY, "out of memory for the numbers of groups");
    for (int32_t i = 0; i < slots->free; i++)
        larger[i] = slots->ring[(slots->oldest + i) % slots->room];
    free(slots->ring);
    slots->ring = larger;
    slots->room = (int32_t)wanted;
    slots->oldest = 0;
    return CAUCUS_OK;
}

static int take(struct caucus_group_slots *slots, int32_t *slot) {
    /* Of few, all are used by turns before one comes again. */
    enum { FRESH = 64 };
    bool fresh = slots->used < slots->limit && (slots->free == 0 || slots->used < FRESH);
    if (fresh) {
        int status = make_room(slots);
        if (status)
            return status;
        *slot = slots->used++;
        return CAUCUS_OK;
    }
    if (slots->free == 0)
        return caucus_fail(CAUCUS_NO_MEMORY,
                           "this rank is the root of %d groups that are not freed by all their "
                           "members, and MPI_TAG_UB leaves no room for more: free some, or let "
                           "groups begin with other ranks",
                           slots->limit);
    *slot = slots->ring[slots->oldest];
    slots->oldest = (slots->oldest + 1) % slots->room;
    slots->free--;
    return CAUCUS_OK;
}

int caucus_group_slots_take(struct caucus_group_slots *slots, int32_t *slot) {
    int status = take(slots, slot);
    if (!status)
        slots->use = (slots->use + 1) % CAUCUS_GROUP_USES;
    return status;
}

void caucus_group_slots_give(struct caucus_group_slots *slots, int32_t slot) {
    slots->ring[(slots->oldest + slots->free) % slots->room] = slot;
    slots->free++;
}
