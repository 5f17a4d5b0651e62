/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of groups, which keep their messages apart on one communicator.
 *
 * A number is made of the rank that gives it, one of that rank's own slots, and how many it had
 * taken by then. So no number comes twice, and two living groups never share a place (rank and
 * slot, from which tags follow), whoever is in them and in whatever order they are made, and nobody
 * need be asked: a group has its number as soon as its root has told it, by a message that may have
 * been needed anyway. A slot is free again when all members have freed the group (retirement.h). Of
 * free slots the one that is free for longest is taken. */
#ifndef CAUCUS_PLAN_GROUP_NUMBERS_H
#define CAUCUS_PLAN_GROUP_NUMBERS_H

#include <stdint.h>

/* How the tags of a communicator are shared out; the same on all its ranks. */
struct caucus_group_room {
    int32_t ranks;
    int32_t first_tag;  /* those below are used for something else */
    int32_t tags_each;  /* of a group */
    int32_t slots_each; /* groups that one rank can have given numbers to at a time */
};

/* tag_limit is MPI_TAG_UB. Fails with CAUCUS_BAD_ARGUMENT where there is not one slot for each
 * rank. */
int caucus_group_room_create(struct caucus_group_room *room, int32_t ranks, int32_t first_tag,
                             int32_t tag_limit, int32_t tags_each);

enum { CAUCUS_GROUP_USES = 1 << 30 }; /* of all slots of a rank, before one is like another */

/* Below 2^62. use: that of the slots when this one was taken. */
static inline int64_t caucus_group_number(const struct caucus_group_room *room, int32_t rank,
                                          int32_t slot, int32_t use) {
    return (int64_t)use << 32 | ((int64_t)rank * room->slots_each + slot);
}

/* What no other living group has, though later ones may. */
static inline int32_t caucus_group_place(int64_t number) {
    return (int32_t)(number & INT32_MAX);
}

/* Who gave it, and of which slot. */
static inline int32_t caucus_group_giver(const struct caucus_group_room *room, int64_t number) {
    return caucus_group_place(number) / room->slots_each;
}

static inline int32_t caucus_group_slot(const struct caucus_group_room *room, int64_t number) {
    return caucus_group_place(number) % room->slots_each;
}

/* The tag number `which` (0 to tags_each - 1) of a group. */
static inline int32_t caucus_group_tag(const struct caucus_group_room *room, int64_t number,
                                       int32_t which) {
    return room->first_tag + caucus_group_place(number) * room->tags_each + which;
}

/* The slots of one rank. Memory follows the most groups that there were at a time. */
struct caucus_group_slots {
    int32_t limit;
    int32_t used;         /* slots 0 to used - 1 were given at least once */
    int32_t use;          /* how many were taken so far, below CAUCUS_GROUP_USES */
    int32_t free, oldest; /* a ring: how many are free, and where the first of them is */
    int32_t room;
    int32_t *ring;
};

void caucus_group_slots_create(struct caucus_group_slots *slots,
                               const struct caucus_group_room *room);
void caucus_group_slots_free(struct caucus_group_slots *slots);

/* Fails with CAUCUS_NO_MEMORY where all slots are in use, and says how many there are and what
 * would make more. O(1) on average. */
int caucus_group_slots_take(struct caucus_group_slots *slots, int32_t *slot);

/* slot was taken, and all members have freed its group. */
void caucus_group_slots_give(struct caucus_group_slots *slots, int32_t slot);

#endif
