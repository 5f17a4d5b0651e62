/* SPDX-License-Identifier: BSD-3-Clause */
/* A group falls apart by colours, as in MPI_Comm_split, once every member has what all members
 * said. Each says a slot of its own along with colour and key: that of a new group's first member
 * makes the group's number, so that no further message is needed. */
#ifndef CAUCUS_PLAN_GROUP_SPLIT_H
#define CAUCUS_PLAN_GROUP_SPLIT_H

#include <stdint.h>

struct caucus_split_wish {
    int32_t colour; /* negative: in no new group */
    int32_t key;    /* order in the new group; then that of the old one */
    int32_t slot;   /* of this member, and which use of its slots that is (numbers.h) */
    int32_t use;
};

/* The positions (of the old group) of those who are with `me` in a new one, in their new order; an
 * array of n is the caller's. Returns how many; 0 where me is in none. wishes are n, by position.
 * O(n + m log m). */
int32_t caucus_split(const struct caucus_split_wish *wishes, int32_t n, int32_t me,
                     int32_t *positions);

#endif
