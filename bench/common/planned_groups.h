/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups that need not exist, with blocks as even and as uneven as they come. */
#ifndef CAUCUS_BENCH_PLANNED_GROUPS_H
#define CAUCUS_BENCH_PLANNED_GROUPS_H

#include "base/status.h"
#include "plan/collective/problem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum pattern {
    REGULAR,
    NEARLY,      /* up to 2 % more or less */
    LINEAR,      /* rank i has i + 1 parts */
    EXPONENTIAL, /* distributed so */
    GEOMETRIC,   /* each half of the one before */
    ONE_HEAVY,   /* all but 5 % */
    TWO_HEAVY,
    WITH_ZEROS, /* every other block is empty */
    PATTERNS
};

static const char *const pattern_names[PATTERNS] = {"regular",     "nearly",    "linear",
                                                    "exponential", "geometric", "one-heavy",
                                                    "two-heavy",   "with-zeros"};

static inline int pattern_find(const char *name) {
    for (int i = 0; i < PATTERNS; i++)
        if (strcmp(pattern_names[i], name) == 0)
            return i;
    return -1;
}

/* Steele, Lea and Flood's SplitMix64 (OOPSLA 2014). */
static inline uint64_t draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline double draw_uniform(uint64_t *state) {
    return (double)(draw(state) >> 11) * 0x1p-53;
}

static inline double pattern_weight(enum pattern pattern, int32_t i, int32_t ranks,
                                    uint64_t *state) {
    const double light = 0.05, spread = 0.02;
    switch (pattern) {
    case NEARLY:
        return 1 + spread * (2 * draw_uniform(state) - 1);
    case LINEAR:
        return i + 1;
    case EXPONENTIAL:
        return -log(1 - draw_uniform(state));
    case GEOMETRIC:
        return pow(0.5, i);
    case ONE_HEAVY:
    case TWO_HEAVY:
        return light / ranks;
    case WITH_ZEROS:
        return i % 2 == 0;
    default:
        return 1;
    }
}

/* Together about total bytes. */
static inline void pattern_fill(int64_t *block, enum pattern pattern, int32_t ranks, double total,
                                uint64_t *state) {
    double sum = 0;
    int32_t heavy[2];
    for (int i = 0; i < 2; i++)
        heavy[i] = (int32_t)(draw(state) % (uint64_t)ranks);
    uint64_t again = *state;
    for (int pass = 0; pass < 2; pass++) {
        *state = again;
        for (int32_t i = 0; i < ranks; i++) {
            double weight = pattern_weight(pattern, i, ranks, state);
            if ((pattern == ONE_HEAVY || pattern == TWO_HEAVY) && i == heavy[0])
                weight = 1;
            if (pattern == TWO_HEAVY && i == heavy[1])
                weight = 1;
            if (pass == 0)
                sum += weight;
            else
                block[i] = llround(weight / sum * total);
        }
    }
}

/* Two groups with blocks of their own. */
struct groups {
    int32_t size[2];
    enum pattern pattern[2];
    int64_t *block;
    int64_t bound; /* bytes of the larger one */
};

static inline int groups_fill(struct groups *groups, double first, double second, uint64_t *state) {
    int64_t total[2] = {0, 0};
    int32_t ranks = groups->size[0] + groups->size[1];
    groups->block = calloc((size_t)ranks, sizeof *groups->block);
    if (!groups->block)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for the blocks of %d ranks", (int)ranks);
    pattern_fill(groups->block, groups->pattern[0], groups->size[0], first, state);
    pattern_fill(groups->block + groups->size[0], groups->pattern[1], groups->size[1], second,
                 state);
    for (int32_t rank = 0; rank < ranks; rank++)
        total[rank >= groups->size[0]] += groups->block[rank];
    groups->bound = total[0] > total[1] ? total[0] : total[1];
    return CAUCUS_OK;
}

static inline struct caucus_problem_shape shape_of(const struct groups *groups) {
    return (struct caucus_problem_shape){.collective = CAUCUS_ALLGATHERV,
                                         .ranks = groups->size[0] + groups->size[1],
                                         .first_group = groups->size[0],
                                         .lengths = groups->block,
                                         .exchanged = CAUCUS_NEEDS_COUNTS};
}

#endif
