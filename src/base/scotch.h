/* SPDX-License-Identifier: BSD-3-Clause */
/* Scotch 7 (F. Pellegrini), where it can be loaded. */
#ifndef CAUCUS_BASE_SCOTCH_H
#define CAUCUS_BASE_SCOTCH_H

#include <stdbool.h>
#include <stdint.h>

/* As caucus_metis_partition, by SCOTCH_graphMap onto nodes of these sizes that are all alike far
 * apart; method is 0. False where Scotch is not there, CAUCUS_SCOTCH says none, or for one part. */
bool caucus_scotch_partition(int32_t vertices, const int64_t *start, const int32_t *to,
                             const int32_t *weight, int32_t parts, const int32_t *size, int method,
                             int32_t *part_of_vertex);

/* Whether what CAUCUS_SCOTCH names can be had, where it is not the default. */
int caucus_scotch_check_setting(void);

#endif
