/* SPDX-License-Identifier: BSD-3-Clause */
/* A group cut into two halves, these again, and so on down to single ranks: the tree over which
 * vectors are combined in the order of ranks, for any number of ranks. The lower half has as many
 * ranks as the upper one, or one more, so there are ⌈log2 p⌉ levels. */
#ifndef CAUCUS_PLAN_COLLECTIVE_HALVES_H
#define CAUCUS_PLAN_COLLECTIVE_HALVES_H

#include "plan/schedule/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_HALVES_LEVELS = 31 };

/* A level as one rank sees it: the half that it is in, and the other one. */
struct caucus_halves {
    int32_t first, size;
    int32_t other_first, other_size;
    bool lower; /* the half that it is in */
};

/* Level 0 is the whole group cut in two; at the last level the rank is a half by itself. Returns
 * how many there are. */
int caucus_halves_of(int32_t size, int32_t rank, struct caucus_halves levels[CAUCUS_HALVES_LEVELS]);

#ifdef __cplusplus
}
#endif

#endif
