/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/members.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *left, const void *right) {
    const struct caucus_member_place *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

static int check_rank(int32_t parent_size, const char *what, int64_t index, int32_t rank) {
    if (rank >= 0 && rank < parent_size)
        return CAUCUS_OK;
    if (index < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is %d: the ranks of the parent are 0 to %d",
                           what, rank, parent_size - 1);
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s[%lld] is %d: the ranks of the parent are 0 to %d",
                       what, (long long)index, rank, parent_size - 1);
}

/* Whether the ranks go in equal strides; the stride of a single one is 1. */
static bool is_range(int32_t count, const int32_t *ranks, int32_t *stride) {
    *stride = count > 1 ? ranks[1] - ranks[0] : 1;
    for (int32_t i = 2; i < count; i++)
        if (ranks[i] - ranks[i - 1] != *stride)
            return false;
    return *stride != 0;
}

/* Where two entries are one rank; -1 if nowhere. */
static int32_t find_twin(const struct caucus_member_place *by_rank, int32_t count) {
    for (int32_t i = 1; i < count; i++)
        if (by_rank[i].rank == by_rank[i - 1].rank)
            return i;
    return -1;
}

int caucus_members_from_list(struct caucus_members *members, int32_t parent_size, int32_t count,
                             const int32_t *ranks) {
    memset(members, 0, sizeof *members);
    if (count < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "a group of %d members: there must be at least one",
                           count);
    for (int32_t i = 0; i < count; i++) {
        int status = check_rank(parent_size, "members", i, ranks[i]);
        if (status)
            return status;
    }
    members->count = count;
    members->first = ranks[0];
    if (is_range(count, ranks, &members->stride))
        return CAUCUS_OK;
    members->rank = caucus_array_copy(ranks, count, sizeof *ranks);
    members->by_rank = caucus_array(count, sizeof *members->by_rank);
    if (!members->rank || !members->by_rank) {
        caucus_members_free(members);
        return CAUCUS_NO_MEMORY;
    }
    for (int32_t i = 0; i < count; i++)
        members->by_rank[i] = (struct caucus_member_place){ranks[i], i};
    qsort(members->by_rank, (size_t)count, sizeof *members->by_rank, compare_places);
    int32_t twin = find_twin(members->by_rank, count);
    if (twin < 0)
        return CAUCUS_OK;
    struct caucus_member_place one = members->by_rank[twin - 1], other = members->by_rank[twin];
    caucus_members_free(members);
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "members[%d] and members[%d] are both %d: a rank is a member once",
                       one.position, other.position, one.rank);
}

int caucus_members_from_range(struct caucus_members *members, int32_t parent_size, int32_t first,
                              int32_t last, int32_t stride) {
    memset(members, 0, sizeof *members);
    int status = check_rank(parent_size, "first", -1, first);
    if (!status)
        status = check_rank(parent_size, "last", -1, last);
    if (status)
        return status;
    if (stride == 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "stride is 0: a rank is a member once");
    int64_t distance = (int64_t)last - first;
    if (distance != 0 && (distance > 0) != (stride > 0))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "from first (%d) by stride %d last (%d) is never met", first, stride,
                           last);
    members->count = (int32_t)(distance / stride + 1);
    members->first = first;
    members->stride = members->count > 1 ? stride : 1;
    return CAUCUS_OK;
}

int caucus_members_within(struct caucus_members *members, const struct caucus_members *outer,
                          const struct caucus_members *inner) {
    int32_t *ranks = caucus_array(inner->count, sizeof *ranks);
    int status = ranks ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < inner->count && !status; i++) {
        int32_t position = caucus_members_rank(inner, i);
        if (position >= outer->count)
            status = check_rank(outer->count, "members", i, position);
        else
            ranks[i] = caucus_members_rank(outer, position);
    }
    if (!status)
        status = caucus_members_from_list(members, INT32_MAX, inner->count, ranks);
    free(ranks);
    return status;
}

int caucus_members_copy(struct caucus_members *copy, const struct caucus_members *members) {
    *copy = *members;
    if (!members->rank)
        return CAUCUS_OK;
    copy->rank = caucus_array_copy(members->rank, members->count, sizeof *copy->rank);
    copy->by_rank = caucus_array_copy(members->by_rank, members->count, sizeof *copy->by_rank);
    if (copy->rank && copy->by_rank)
        return CAUCUS_OK;
    caucus_members_free(copy);
    return CAUCUS_NO_MEMORY;
}

void caucus_members_free(struct caucus_members *members) {
    free(members->rank);
    free(members->by_rank);
    memset(members, 0, sizeof *members);
}

void caucus_members_list(const struct caucus_members *members, int32_t ranks[]) {
    for (int32_t i = 0; i < members->count; i++)
        ranks[i] = caucus_members_rank(members, i);
}

int32_t *caucus_members_array(const struct caucus_members *members) {
    int32_t *ranks = caucus_array(members->count, sizeof *ranks);
    if (ranks)
        caucus_members_list(members, ranks);
    return ranks;
}

int32_t caucus_members_position(const struct caucus_members *members, int32_t rank) {
    if (!members->rank) {
        int64_t distance = (int64_t)rank - members->first;
        int64_t position = distance / members->stride;
        bool is_in = distance % members->stride == 0 && position >= 0 && position < members->count;
        return is_in ? (int32_t)position : -1;
    }
    int32_t low = 0, high = members->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (members->by_rank[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_in = low < members->count && members->by_rank[low].rank == rank;
    return is_in ? members->by_rank[low].position : -1;
}

uint64_t caucus_members_hash(const struct caucus_members *members) {
    uint64_t hash = 0x9E3779B97F4A7C15u ^ (uint64_t)members->count;
    for (int32_t i = 0; i < members->count; i++) {
        hash ^= (uint64_t)caucus_members_rank(members, i);
        hash *= 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}
