/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps around a circle of n places, and the binomial tree that starts at any of them: the place
 * that lies d behind the start has the places d + 2^k for all 2^k below the lowest bit set in d
 * (below n at the start). n - 1 edges, popcount(d) of them on the way to d. */
#ifndef CAUCUS_PLAN_OVERLAY_CIRCLE_H
#define CAUCUS_PLAN_OVERLAY_CIRCLE_H

#include <stdint.h>

static inline int32_t caucus_circle_on(int32_t size, int32_t place, int32_t steps) {
    int64_t sum = (int64_t)place + steps;
    return (int32_t)(sum < size ? sum : sum - size);
}

static inline int32_t caucus_circle_distance(int32_t size, int32_t from, int32_t to) {
    return to >= from ? to - from : size - (from - to);
}

/* ⌈log2 size⌉ */
static inline int caucus_circle_dimensions(int32_t size) {
    return size > 1 ? 32 - __builtin_clz((unsigned)size - 1) : 0;
}

/* All links of a place: outward where step is 1, inward where it is -1. With a null list they are
 * only counted. */
static inline int caucus_circle_links(int32_t size, int32_t place, int step, int32_t *list) {
    int dimensions = caucus_circle_dimensions(size);
    for (int k = 0; list && k < dimensions; k++) {
        int32_t on = (int32_t)1 << k;
        list[k] = caucus_circle_on(size, place, step > 0 ? on : size - on);
    }
    return dimensions;
}

/* The places that this one forwards to, the furthest first. */
static inline int caucus_circle_children(int32_t size, int32_t place, int32_t start,
                                         int32_t *child) {
    int32_t distance = caucus_circle_distance(size, start, place);
    int below = distance ? __builtin_ctz((unsigned)distance) : caucus_circle_dimensions(size);
    int count = 0;
    for (int k = below - 1; k >= 0; k--)
        if ((int64_t)distance + ((int64_t)1 << k) < size)
            child[count++] = caucus_circle_on(size, place, (int32_t)1 << k);
    return count;
}

/* The place that forwards to this one, another than the start. */
static inline int32_t caucus_circle_parent(int32_t size, int32_t place, int32_t start) {
    int32_t distance = caucus_circle_distance(size, start, place);
    return caucus_circle_on(size, start, distance & (distance - 1));
}

#endif
