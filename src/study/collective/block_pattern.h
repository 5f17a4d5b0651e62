/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a group of ranks, as even and as uneven as they come: for studies and experiments. */
#ifndef CAUCUS_STUDY_COLLECTIVE_BLOCK_PATTERN_H
#define CAUCUS_STUDY_COLLECTIVE_BLOCK_PATTERN_H

#include <stdint.h>

enum caucus_block_pattern {
    CAUCUS_BLOCKS_REGULAR,
    CAUCUS_BLOCKS_NEARLY,      /* up to 2 % more or less */
    CAUCUS_BLOCKS_LINEAR,      /* rank i has i + 1 parts */
    CAUCUS_BLOCKS_EXPONENTIAL, /* distributed so */
    CAUCUS_BLOCKS_GEOMETRIC,   /* each half of the one before */
    CAUCUS_BLOCKS_ONE_HEAVY,   /* any rank: all but 5 % */
    CAUCUS_BLOCKS_TWO_HEAVY,
    CAUCUS_BLOCKS_WITH_ZEROS, /* every other block is empty */
    CAUCUS_BLOCK_PATTERNS
};

/* "one-heavy"; NULL for what is no pattern. caucus_block_pattern_find gives -1 for no such name,
 * which has length characters. */
const char *caucus_block_pattern_name(int pattern);
int caucus_block_pattern_find(const char *name, int64_t length);

/* Fills block[0] to block[ranks - 1], together about total, by rounding. state is advanced: the
 * same state gives the same blocks. */
void caucus_block_pattern_fill(int64_t *block, enum caucus_block_pattern pattern, int32_t ranks,
                               double total, uint64_t *state);

/* The random numbers that it goes by (Steele, Lea and Flood's SplitMix64, OOPSLA 2014), and the
 * same from 0 to below 1. */
uint64_t caucus_block_pattern_draw(uint64_t *state);
double caucus_block_pattern_draw_uniform(uint64_t *state);

#endif
