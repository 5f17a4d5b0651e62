/* SPDX-License-Identifier: BSD-3-Clause */
/* Multi-jagged cuts of any set of cells: level by level, each set of parts is divided into groups
 * of near-equal numbers of parts, and its cells, in an order that the caller gives for the level,
 * are cut at just the groups' sizes. The last level gives each part its own cells. */
#ifndef CAUCUS_PLAN_GRID_JAGGED_H
#define CAUCUS_PLAN_GRID_JAGGED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set is named by its first part; it has the parts up to end[first] - 1. */
struct caucus_jagged {
    int32_t parts;
    const int32_t *size; /* [parts]: cells of each */
    int32_t *end;        /* the rest: [parts], the caller's memory */
    int32_t *group_end, *left, *taker;
};

/* memory: 4 * parts entries. One set has all parts; set_of_cell is to be all zeros then. */
struct caucus_jagged caucus_jagged_begin(int32_t parts, const int32_t *size, int32_t *memory);

/* Divides every set into groups (fewer, if it has fewer parts), going through the count cells by
 * order (NULL: 0, 1, 2, ...). groups 0 divides into single parts: set_of_cell is then the part of
 * every cell. */
void caucus_jagged_cut(struct caucus_jagged *jagged, int32_t groups, int64_t count,
                       const int32_t *order, int32_t *set_of_cell);

#ifdef __cplusplus
}
#endif

#endif
