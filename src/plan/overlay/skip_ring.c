/* SPDX-License-Identifier: BSD-3-Clause */
/* The skip ring of Li et al. (ExaMPI 2018), made right for sizes that are no power of two: of
 * several links between the same two ranks only one is kept.
 *
 * The level of a rank is the number of zero bits it ends in, and that of rank 0 ⌊log2(n - 1)⌋. Rank
 * r has links to r + 2^i for all i up to its level, where what is past the last rank is rank 0.
 * A cast climbs to higher levels first: the origin, and who hears from a rank of a lower level,
 * sends on all its links. Who hears from a rank of at least its own level sends to ranks of lower
 * levels that come before the origin.
 *
 *   n = 8, origin 2:   2 -> 4, 3;   4 -> 0, 6, 5;   0 -> 1;   6 -> 7
 *
 * Up to 2 ⌈log2 n⌉ - 2 hops for n > 4, and rank 0 forwards on about log2 n links whoever casts. It
 * is here to be compared with; the finger tree is better at both. */
#include "plan/overlay/circle.h"
#include "plan/overlay/overlay.h"

static int level(const struct caucus_overlay *overlay, int32_t rank) {
    if (rank)
        return __builtin_ctz((unsigned)rank);
    return overlay->ranks > 1 ? 31 - __builtin_clz((unsigned)overlay->ranks - 1) : -1;
}

static int32_t targets(const struct caucus_overlay *overlay, int32_t rank, int32_t *to) {
    int32_t count = 0;
    bool wraps = false;
    for (int i = level(overlay, rank); i >= 0; i--) {
        int64_t target = rank + ((int64_t)1 << i);
        if (target >= overlay->ranks && wraps)
            continue;
        wraps |= target >= overlay->ranks;
        if (to)
            to[count] = target < overlay->ranks ? (int32_t)target : 0;
        count++;
    }
    return count;
}

static int forwards(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                    int32_t origin, int32_t *to) {
    int own = level(overlay, rank), count = 0;
    int all = targets(overlay, rank, to);
    if (rank == origin || level(overlay, sender) < own)
        return all;
    int32_t left = caucus_circle_distance(overlay->ranks, rank, origin);
    for (int i = 0; i < all; i++)
        if (level(overlay, to[i]) < own &&
            caucus_circle_distance(overlay->ranks, rank, to[i]) < left)
            to[count++] = to[i];
    return count;
}

/* Who hears first serves all ranks up to the next one that its sender has sent to. */
static int32_t parent(const struct caucus_overlay *overlay, int32_t rank, int32_t origin) {
    int32_t sender = origin, at = origin, to[CAUCUS_OVERLAY_DEGREE];
    for (;;) {
        int count = forwards(overlay, at, sender, origin, to);
        int32_t goal = caucus_circle_distance(overlay->ranks, at, rank), best = 0;
        sender = at;
        for (int i = 0; i < count; i++) {
            int32_t distance = caucus_circle_distance(overlay->ranks, sender, to[i]);
            if (distance == goal)
                return sender;
            if (distance < goal && distance > best) {
                best = distance;
                at = to[i];
            }
        }
        if (!best)
            return -1; /* the ring has no such rank */
    }
}

/* Rank 0 hears, for every i, from the last rank that ends in i zero bits or more; others from
 * rank - 2^i, where that has the level. */
static int32_t sources(const struct caucus_overlay *overlay, int32_t rank, int32_t *from) {
    int32_t count = 0;
    for (int i = 0; i < caucus_circle_dimensions(overlay->ranks); i++) {
        int32_t source = (rank ? rank : overlay->ranks + (1 << i) - 1) - (1 << i);
        if (!rank)
            source = (int32_t)((uint32_t)source >> i << i);
        if (source < 0 || level(overlay, source) < i || (!rank && !source))
            continue;
        if (from)
            from[count] = source;
        count++;
    }
    return count;
}

static int32_t links(const struct caucus_overlay *overlay, int32_t rank, int step, int32_t *list) {
    return (step > 0 ? targets : sources)(overlay, rank, list);
}

const struct caucus_overlay_kind caucus_overlay_skip_ring = {
    .name = "skip_ring",
    .summary = "a skip list closed to a ring, up the levels and down again",
    .forwards = forwards,
    .parent = parent,
    .links = links,
};
