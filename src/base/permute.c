/* SPDX-License-Identifier: BSD-3-Clause */
/* A Feistel network over the smallest even number of bits that holds size, walked until it lands
 * below size (J. Black and P. Rogaway, Ciphers with Arbitrary Finite Domains, CT-RSA 2002). At most
 * 4 steps on average. */
#include "base/permute.h"

enum { ROUNDS = 8 };

int64_t caucus_permute(uint64_t seed, int64_t size, int64_t index) {
    int half = 1;
    while ((INT64_C(1) << 2 * half) < size)
        half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    uint64_t at = (uint64_t)index;
    do {
        uint64_t left = at >> half, right = at & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint64_t next = left ^ (caucus_mix(caucus_mix(seed + round) ^ right) & mask);
            left = right;
            right = next;
        }
        at = left << half | right;
    } while (at >= (uint64_t)size);
    return (int64_t)at;
}

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

bool caucus_permutation_next(int count, int *order) {
    int pivot = count - 2, larger = count - 1;
    while (pivot >= 0 && order[pivot] >= order[pivot + 1])
        pivot--;
    if (pivot < 0)
        return false;
    while (order[larger] <= order[pivot])
        larger--;
    swap(&order[pivot], &order[larger]);
    for (int low = pivot + 1, high = count - 1; low < high; low++, high--)
        swap(&order[low], &order[high]);
    return true;
}
