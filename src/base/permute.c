/* SPDX-License-Identifier: BSD-3-Clause */
/* A Feistel network over the smallest even number of bits that holds size, walked until it lands
 * below size (J. Black and P. Rogaway, Ciphers with Arbitrary Finite Domains, CT-RSA 2002). At most
 * 4 steps on average. */
#include "base/permute.h"

enum { ROUNDS = 8 };

/* The finalizer of splitmix64 (G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014). */
static uint64_t mix(uint64_t value) {
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

int64_t caucus_permute(uint64_t seed, int64_t size, int64_t index) {
    int half = 1;
    while ((INT64_C(1) << 2 * half) < size)
        half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    uint64_t at = (uint64_t)index;
    do {
        uint64_t left = at >> half, right = at & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint64_t next = left ^ (mix(mix(seed + round) ^ right) & mask);
            left = right;
            right = next;
        }
        at = left << half | right;
    } while (at >= (uint64_t)size);
    return (int64_t)at;
}
