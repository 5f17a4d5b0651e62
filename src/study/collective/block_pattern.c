/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/collective/block_pattern.h"

#include "base/permute.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const names[CAUCUS_BLOCK_PATTERNS] = {
    [CAUCUS_BLOCKS_REGULAR] = "regular",     [CAUCUS_BLOCKS_NEARLY] = "nearly",
    [CAUCUS_BLOCKS_LINEAR] = "linear",       [CAUCUS_BLOCKS_EXPONENTIAL] = "exponential",
    [CAUCUS_BLOCKS_GEOMETRIC] = "geometric", [CAUCUS_BLOCKS_ONE_HEAVY] = "one-heavy",
    [CAUCUS_BLOCKS_TWO_HEAVY] = "two-heavy", [CAUCUS_BLOCKS_WITH_ZEROS] = "with-zeros",
};

const char *caucus_block_pattern_name(int pattern) {
    return pattern >= 0 && pattern < CAUCUS_BLOCK_PATTERNS ? names[pattern] : NULL;
}

int caucus_block_pattern_find(const char *name, int64_t length) {
    for (int i = 0; i < CAUCUS_BLOCK_PATTERNS; i++)
        if ((int64_t)strlen(names[i]) == length && memcmp(names[i], name, (size_t)length) == 0)
            return i;
    return -1;
}

uint64_t caucus_block_pattern_draw(uint64_t *state) {
    uint64_t drawn = caucus_mix(*state);
    *state += CAUCUS_MIX_STEP;
    return drawn;
}

double caucus_block_pattern_draw_uniform(uint64_t *state) {
    return (double)(caucus_block_pattern_draw(state) >> 11) * 0x1p-53;
}

static double weight_of(enum caucus_block_pattern pattern, int32_t i, int32_t ranks,
                        uint64_t *state) {
    const double light = 0.05, spread = 0.02;
    switch (pattern) {
    case CAUCUS_BLOCKS_NEARLY:
        return 1 + spread * (2 * caucus_block_pattern_draw_uniform(state) - 1);
    case CAUCUS_BLOCKS_LINEAR:
        return i + 1;
    case CAUCUS_BLOCKS_EXPONENTIAL:
        return -log(1 - caucus_block_pattern_draw_uniform(state));
    case CAUCUS_BLOCKS_GEOMETRIC:
        return pow(0.5, i);
    case CAUCUS_BLOCKS_ONE_HEAVY:
    case CAUCUS_BLOCKS_TWO_HEAVY:
        return light / ranks;
    case CAUCUS_BLOCKS_WITH_ZEROS:
        return i % 2 == 0;
    default:
        return 1;
    }
}

void caucus_block_pattern_fill(int64_t *block, enum caucus_block_pattern pattern, int32_t ranks,
                               double total, uint64_t *state) {
    double sum = 0;
    int32_t heavy[2];
    for (int i = 0; i < 2; i++)
        heavy[i] = (int32_t)(caucus_block_pattern_draw(state) % (uint64_t)ranks);
    bool one = pattern == CAUCUS_BLOCKS_ONE_HEAVY, two = pattern == CAUCUS_BLOCKS_TWO_HEAVY;
    uint64_t again = *state;
    for (int pass = 0; pass < 2; pass++) {
        *state = again;
        for (int32_t i = 0; i < ranks; i++) {
            double weight = weight_of(pattern, i, ranks, state);
            if (((one || two) && i == heavy[0]) || (two && i == heavy[1]))
                weight = 1;
            if (pass == 0)
                sum += weight;
            else
                block[i] = llround(weight / sum * total);
        }
    }
}
