/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is in a group: ranks of a parent, in the order of the group's own positions. What goes up or
 * down in equal strides is kept as such, in a few bytes, however it was told. */
#ifndef CAUCUS_PLAN_GROUP_MEMBERS_H
#define CAUCUS_PLAN_GROUP_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_member_place {
    int32_t rank, position;
};

struct caucus_members {
    int32_t count; /* at least 1 */
    int32_t first, stride;
    struct caucus_member_place *by_rank; /* ascending; NULL where the members are a range */
    int32_t *rank;                       /* by position; likewise */
};

/* From a list of ranks of a parent of so many. Fails with CAUCUS_BAD_ARGUMENT and words that name
 * the entry where there is none, one is no rank of the parent, or one is there twice. On failure
 * there is nothing to free. O(n log n). */
int caucus_members_from_list(struct caucus_members *members, int32_t parent_size, int32_t count,
                             const int32_t *ranks);

/* first, first + stride, ... up to last, or down to it where stride is negative; as in
 * MPI_Group_range_incl the last member may be short of `last`. O(1), no memory. */
int caucus_members_from_range(struct caucus_members *members, int32_t parent_size, int32_t first,
                              int32_t last, int32_t stride);

/* A group whose parent is a group: `inner` are positions of `outer`; the result, ranks of the
 * parent of outer. */
int caucus_members_within(struct caucus_members *members, const struct caucus_members *outer,
                          const struct caucus_members *inner);

/* Fails for want of memory alone; then there is nothing to free. */
int caucus_members_copy(struct caucus_members *copy, const struct caucus_members *members);

void caucus_members_free(struct caucus_members *members);

/* All ranks, by position: count of them. */
void caucus_members_list(const struct caucus_members *members, int32_t ranks[]);

/* The same in memory of its own, to be given to free(); NULL without any. */
int32_t *caucus_members_array(const struct caucus_members *members);

/* position is 0 to count - 1. */
static inline int32_t caucus_members_rank(const struct caucus_members *members, int32_t position) {
    return members->rank ? members->rank[position] : members->first + position * members->stride;
}

/* -1 for a rank that is no member. O(1) for ranges, else O(log n). */
int32_t caucus_members_position(const struct caucus_members *members, int32_t rank);

/* The same for the same members in the same order, however they were told; otherwise different but
 * for one in 2^64. O(n). */
uint64_t caucus_members_hash(const struct caucus_members *members);

#endif
