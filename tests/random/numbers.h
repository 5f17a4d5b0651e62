/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random and are the same wherever they are drawn from the same seed. */
#ifndef TESTS_RANDOM_NUMBERS_H
#define TESTS_RANDOM_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t mixed(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t mixed_with(uint64_t a, uint64_t b) {
    return mixed(mixed(a) + b);
}

/* 0 to n - 1. */
static inline int below(uint64_t *state, int n) {
    *state = mixed(*state);
    return (int)((*state >> 17) % (uint64_t)n);
}

static inline bool one_in(uint64_t *state, int n) {
    return below(state, n) == 0;
}

static inline void shuffle(uint64_t *state, int *list, int n) {
    for (int i = n - 1; i > 0; i--) {
        int other = below(state, i + 1), kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
}

#endif
