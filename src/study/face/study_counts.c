/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of a study whose lengths follow a pattern. */
#include "base/memory.h"
#include "base/status.h"
#include "study/collective/block_pattern.h"
#include "study/face/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unknown(const char *name, int64_t length) {
    char known[256] = "";
    for (int i = 0; i < CAUCUS_BLOCK_PATTERNS; i++) {
        size_t end = strlen(known);
        snprintf(known + end, sizeof known - end, "%s%s", i ? ", " : "",
                 caucus_block_pattern_name(i));
    }
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "there are no counts '%.*s': there are %s", (int)length,
                       name, known);
}

/* One word for all, or one for each group: linear, or linear+one-heavy. */
static int read_patterns(const char *text, bool two, enum caucus_block_pattern pattern[2]) {
    const char *plus = two ? strchr(text, '+') : NULL;
    const char *word[2] = {text, plus ? plus + 1 : text};
    for (int i = 0; i < 2; i++) {
        int64_t length = plus && i == 0 ? plus - text : (int64_t)strlen(word[i]);
        int found = caucus_block_pattern_find(word[i], length);
        if (found < 0)
            return unknown(word[i], length);
        pattern[i] = (enum caucus_block_pattern)found;
    }
    return CAUCUS_OK;
}

/* Rounding must not change the sum: what is over or lacking is the longest blocks'. */
static void make_exact(int64_t *block, int32_t ranks, int64_t total) {
    for (int32_t rank = 0; rank < ranks; rank++)
        total -= block[rank];
    while (total != 0) {
        int32_t longest = 0;
        for (int32_t rank = 1; rank < ranks; rank++)
            if (block[rank] > block[longest])
                longest = rank;
        int64_t change = total > -block[longest] ? total : -block[longest];
        block[longest] += change;
        total -= change;
    }
}

bool caucus_study_sided(const struct caucus_problem_shape *shape) {
    enum caucus_collective collective = shape->collective;
    return shape->first_group && (collective == CAUCUS_ALLGATHER || collective == CAUCUS_ALLTOALL ||
                                  (collective == CAUCUS_ALLGATHERV && !shape->irregular));
}

/* In elements. Between groups both cut the same operand of a reduce_scatter. */
static int64_t total_of(const struct caucus_problem_shape *shape, int side, int32_t ranks) {
    bool reduces = shape->collective == CAUCUS_REDUCE_SCATTER;
    int64_t bytes = side && caucus_study_sided(shape) ? shape->second_bytes : shape->bytes;
    return bytes / shape->element * (side && reduces ? shape->first_group : ranks);
}

static void fill(int64_t *block, const struct caucus_problem_shape *shape,
                 const enum caucus_block_pattern pattern[2]) {
    uint64_t state = shape->seed;
    int32_t begin = 0, end = shape->first_group ? shape->first_group : shape->ranks;
    for (int side = 0; begin < shape->ranks; side++, begin = end, end = shape->ranks) {
        int64_t total = total_of(shape, side, end - begin);
        caucus_block_pattern_fill(block + begin, pattern[side], end - begin, (double)total, &state);
        make_exact(block + begin, end - begin, total);
    }
    for (int32_t rank = 0; rank < shape->ranks; rank++)
        block[rank] *= shape->element;
}

int caucus_study_read_counts(struct caucus_study *study, const char *text,
                             struct caucus_problem_shape *shape) {
    enum caucus_block_pattern pattern[2] = {CAUCUS_BLOCKS_REGULAR, CAUCUS_BLOCKS_REGULAR};
    bool given = text && *text, have = caucus_problem_has_lengths(shape->collective);
    if (given && !have)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "counts '%s': all blocks of %s have the same length, or there is one "
                           "for each pair of ranks",
                           text, caucus_collective_name((int)shape->collective));
    if (given && shape->irregular)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "counts '%s' or irregular blocks, not both", text);
    if (!given && (!have || shape->irregular || !shape->first_group))
        return CAUCUS_OK;
    int status = given ? read_patterns(text, shape->first_group > 0, pattern) : CAUCUS_OK;
    if (status)
        return status;
    study->lengths = caucus_array(shape->ranks, sizeof *study->lengths);
    if (!study->lengths)
        return CAUCUS_NO_MEMORY;
    fill(study->lengths, shape, pattern);
    shape->lengths = study->lengths;
    return CAUCUS_OK;
}
