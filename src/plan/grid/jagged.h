/* SPDX-License-Identifier: BSD-3-Clause */
/* Multi-jagged cuts of any set of cells: level by level, each set of parts is divided into groups
 * of near-equal numbers of parts, and its cells, in an order that the caller gives for the level,
 * are cut at just the groups' sizes. The last level gives each part its own cells. */
#ifndef CAUCUS_PLAN_GRID_JAGGED_H
#define CAUCUS_PLAN_GRID_JAGGED_H

#include <stdint.h>

/* Writes the part of each of count cells. size: the cells of each part; groups: of all levels but
 * the last (a set of fewer parts is divided into these); order: [levels][count]; memory: 4 * parts
 * entries. */
void caucus_jagged_cut(int32_t parts, const int32_t *size, int levels, const int32_t *groups,
                       int64_t count, const int32_t *order, int32_t *memory, int32_t *part_of_cell);

#endif
