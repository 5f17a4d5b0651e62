/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/gathering.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static int gather(struct caucus_attachment *parent, struct caucus_members *members, int64_t outside,
                  int tag, uint64_t arguments, bool objects,
                  struct caucus_light_group **gathering) {
    int status = caucus_group_make(parent, members, outside, tag, CAUCUS_GROUP_CHECKED, gathering);
    if (status)
        return status;
    (*gathering)->hash ^= arguments;
    (*gathering)->objects = objects;
    return CAUCUS_OK;
}

int caucus_gathering_of(const struct caucus_light_group *group, enum caucus_gathering_aim aim,
                        uint64_t arguments, bool objects, struct caucus_light_group **gathering) {
    struct caucus_members members, all;
    int status = caucus_members_from_range(&all, group->size, 0, group->size - 1, 1);
    if (!status)
        status = caucus_members_within(&members, &group->members, &all);
    if (status)
        return status;
    return gather(group->parent, &members, caucus_group_identity(group), aim, arguments, objects,
                  gathering);
}

int caucus_gathering_of_two(struct caucus_attachment *parent, int other, int tag,
                            uint64_t arguments, bool objects,
                            struct caucus_light_group **gathering) {
    struct caucus_members members;
    int low = other < parent->rank ? other : parent->rank;
    int high = other < parent->rank ? parent->rank : other;
    int status = caucus_members_from_range(&members, parent->size, low, high, high - low);
    return status
               ? status
               : gather(parent, &members, CAUCUS_GROUP_LEADERS, tag, arguments, objects, gathering);
}

/* Behind those that the room itself gives. */
int caucus_gathering_tag(const struct caucus_light_group *gathering) {
    return (int)(gathering->parent->engine->tags + gathering->number);
}
