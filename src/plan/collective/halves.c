/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/halves.h"

int caucus_halves_of(int32_t size, int32_t rank,
                     struct caucus_halves levels[CAUCUS_HALVES_LEVELS]) {
    int count = 0;
    int32_t first = 0;
    while (size > 1) {
        int32_t lower = size / 2 + size % 2, upper = size / 2;
        if (rank < first + lower) {
            levels[count++] =
                (struct caucus_halves){first, lower, first + lower, upper, .lower = true};
            size = lower;
        } else {
            levels[count++] =
                (struct caucus_halves){first + lower, upper, first, lower, .lower = false};
            first += lower;
            size = upper;
        }
    }
    return count;
}
