/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups that need not exist. */
#ifndef CAUCUS_BENCH_PLANNED_GROUPS_H
#define CAUCUS_BENCH_PLANNED_GROUPS_H

#include "base/status.h"
#include "study/collective/block_pattern.h"
#include "study/collective/problem.h"

#include <stdint.h>
#include <stdlib.h>

/* Two groups with blocks of their own. */
struct groups {
    int32_t size[2];
    enum caucus_block_pattern pattern[2];
    int64_t *block;
    int64_t bound; /* bytes of the larger one */
};

static inline int groups_fill(struct groups *groups, double first, double second, uint64_t *state) {
    int64_t total[2] = {0, 0};
    int32_t ranks = groups->size[0] + groups->size[1];
    groups->block = calloc((size_t)ranks, sizeof *groups->block);
    if (!groups->block)
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory for the blocks of %d ranks", (int)ranks);
    caucus_block_pattern_fill(groups->block, groups->pattern[0], groups->size[0], first, state);
    caucus_block_pattern_fill(groups->block + groups->size[0], groups->pattern[1], groups->size[1],
                              second, state);
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
