/* SPDX-License-Identifier: BSD-3-Clause */
/* The binomial tree of positions 0 to size - 1: the parent lacks the lowest bit, and those below x
 * are x + 1 to x + lowest bit - 1. */
#ifndef CAUCUS_PLAN_PROTOCOL_POSITIONS_H
#define CAUCUS_PLAN_PROTOCOL_POSITIONS_H

#include <stdint.h>

enum { CAUCUS_POSITION_CHILDREN = 31 };

/* Of 0 it is 0. */
static inline int32_t caucus_position_parent(int32_t position) {
    return position & (position - 1);
}

/* One past the last position below (or at) one. */
static inline int32_t caucus_position_end(int32_t size, int32_t position) {
    int64_t end = position == 0 ? size : (int64_t)position + (position & -position);
    return end < size ? (int32_t)end : size;
}

/* Returns how many there are; those with most below them first. */
static inline int32_t caucus_position_children(int32_t size, int32_t position,
                                               int32_t children[CAUCUS_POSITION_CHILDREN]) {
    int32_t end = caucus_position_end(size, position), count = 0;
    int64_t bit = 1;
    while (position + bit < end)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2)
        children[count++] = (int32_t)(position + bit);
    return count;
}

#endif
