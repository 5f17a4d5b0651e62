/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_PERMUTE_H
#define CAUCUS_BASE_PERMUTE_H

#include <stdbool.h>
#include <stdint.h>

/* A number that looks random, for every number another one. The numbers of state, state +
 * CAUCUS_MIX_STEP, ... are SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014. */
#define CAUCUS_MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t caucus_mix(uint64_t state) {
    uint64_t word = state + CAUCUS_MIX_STEP;
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* Where a pseudo-random permutation of 0 .. size-1 takes index; the seed chooses which. Every
 * process works it out for itself: O(1) on average, no memory. size is at least 1, below 2^62. */
int64_t caucus_permute(uint64_t seed, int64_t size, int64_t index);

/* Turns order into its lexicographically next permutation; false (and unchanged) after the last.
 * The first is 0, 1, 2, ...; numbers may repeat, equal ones are not told apart. */
bool caucus_permutation_next(int count, int *order);

#endif
