/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_PERMUTE_H
#define CAUCUS_BASE_PERMUTE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a pseudo-random permutation of 0 .. size-1 takes index; the seed chooses which. Every
 * process works it out for itself: O(1) on average, no memory. size is at least 1, below 2^62. */
int64_t caucus_permute(uint64_t seed, int64_t size, int64_t index);

#ifdef __cplusplus
}
#endif

#endif
